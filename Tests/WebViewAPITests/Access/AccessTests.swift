import HTTPModel
import Testing

@testable import WebViewAPI

@Suite struct AccessTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var token: String?
    var hosts: [String] = []
    var origins: [String] = []
    var path = "/v1/server"
    var headers: HTTPHeaders
    var isUnixSocket = false
    var isSecure = false
    var status: Int
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "loopback names are served", headers: ["Host": "localhost:7788"], status: 200),
    Case(name: "loopback addresses are served", headers: ["Host": "127.0.0.1"], status: 200),
    Case(name: "all of 127/8 is loopback", headers: ["Host": "127.9.9.9:1"], status: 200),
    Case(name: "IPv6 loopback is served", headers: ["Host": "[::1]:7788"], status: 200),
    Case(name: "names compare without case", headers: ["Host": "LocalHost:80"], status: 200),
    Case(name: "a rebound name is refused", headers: ["Host": "evil.example:7788"], status: 403),
    Case(
      name: "a name that begins like loopback is refused", headers: ["Host": "127.0.0.1.evil.example"],
      status: 403),
    Case(
      name: "a name that ends like loopback is refused", headers: ["Host": "evil.localhost.example"],
      status: 403),
    Case(name: "no Host is refused", headers: [:], status: 403),
    Case(name: "a malformed port is refused", headers: ["Host": "localhost:x"], status: 403),
    Case(
      name: "an allowed host is served", hosts: ["Box.example"], headers: ["Host": "box.example:1"],
      status: 200),
    Case(
      name: "an allowed IPv6 address is served", hosts: ["[fd00::1]"], headers: ["Host": "[FD00::1]:7788"],
      status: 200),
    Case(
      name: "an IPv6 address is allowed without its brackets too", hosts: ["fd00::1"],
      headers: ["Host": "[fd00::1]"], status: 200),
    Case(
      name: "another IPv6 address is refused", hosts: ["[fd00::1]"], headers: ["Host": "[fd00::2]:7788"],
      status: 403),
    Case(name: "a unix socket serves any Host", headers: ["Host": "x"], isUnixSocket: true, status: 200),
    Case(
      name: "with a token any Host is served", token: "s",
      headers: ["Host": "evil.example", "Authorization": "Bearer s"], status: 200),
    Case(name: "a missing token is 401", token: "s", headers: ["Host": "localhost"], status: 401),
    Case(
      name: "a wrong token is 401", token: "secret",
      headers: ["Host": "localhost", "Authorization": "Bearer secreT"],
      status: 401),
    Case(
      name: "a prefix of the token is 401", token: "secret",
      headers: ["Host": "localhost", "Authorization": "Bearer secre"], status: 401),
    Case(
      name: "a repeated token is 401", token: "s",
      headers: ["Host": "localhost", "Authorization": "Bearer ss"],
      status: 401),
    Case(
      name: "an empty token is 401", token: "s", headers: ["Host": "localhost", "Authorization": "Bearer "],
      status: 401),
    Case(
      name: "the scheme's case does not matter", token: "s",
      headers: ["Host": "localhost", "Authorization": "bearer s"], status: 200),
    Case(
      name: "another scheme is 401", token: "s", headers: ["Host": "localhost", "Authorization": "Basic s"],
      status: 401),
    Case(
      name: "the contract needs the token too", token: "s", path: "/openapi.json",
      headers: ["Host": "localhost"], status: 401),
    Case(
      name: "probes need no token", token: "s", path: "/healthz", headers: ["Host": "localhost"], status: 200),
    Case(
      name: "probes are served under any Host", path: "/readyz", headers: ["Host": "evil.example"],
      status: 200),
    Case(
      name: "the own origin is served",
      headers: ["Host": "localhost:7788", "Origin": "http://localhost:7788"],
      status: 200),
    Case(
      name: "the own origin over TLS", headers: ["Host": "localhost", "Origin": "https://localhost"],
      isSecure: true,
      status: 200),
    Case(
      name: "another scheme is another origin",
      headers: ["Host": "localhost", "Origin": "https://localhost"],
      status: 403),
    Case(
      name: "another port is another origin",
      headers: ["Host": "localhost:7788", "Origin": "http://localhost:7789"],
      status: 403),
    Case(name: "a null origin is refused", headers: ["Host": "localhost", "Origin": "null"], status: 403),
    Case(name: "an empty origin is refused", headers: ["Host": "localhost", "Origin": ""], status: 403),
    Case(
      name: "a foreign origin is refused even with the token", token: "s",
      headers: ["Host": "localhost", "Origin": "http://evil.example", "Authorization": "Bearer s"],
      status: 403),
    Case(
      name: "a foreign origin is refused on probes", path: "/healthz",
      headers: ["Host": "localhost", "Origin": "http://evil.example"], status: 403),
    Case(
      name: "an allowed origin is served", origins: ["https://app.example"],
      headers: ["Host": "localhost", "Origin": "https://app.example"], status: 200),
    Case(
      name: "two origins are refused", origins: ["https://app.example"],
      headers: ["Host": "localhost", "Origin": "https://app.example", "origin": "http://evil.example"],
      status: 403),
    Case(
      name: "cross-site frames and images are refused",
      headers: ["Host": "localhost", "Sec-Fetch-Site": "cross-site"],
      status: 403),
    Case(
      name: "same-site pages of another origin are refused",
      headers: ["Host": "localhost", "Sec-Fetch-Site": "same-site"], status: 403),
    Case(
      name: "a typed address is served", headers: ["Host": "localhost", "Sec-Fetch-Site": "none"], status: 200
    ),
    Case(
      name: "own pages are served", headers: ["Host": "localhost", "Sec-Fetch-Site": "same-origin"],
      status: 200),
    Case(
      name: "cross-site with an allowed origin is served", origins: ["https://app.example"],
      headers: ["Host": "localhost", "Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"],
      status: 200),
    Case(
      name: "cross-site links to unversioned paths are served", path: "/openapi.json",
      headers: ["Host": "localhost", "Sec-Fetch-Site": "cross-site"], status: 200),
    Case(
      name: "unknown paths under /v1 tell cross-site pages nothing", path: "/v1/nothing",
      headers: ["Host": "localhost", "Sec-Fetch-Site": "cross-site"], status: 403),
    Case(
      name: "unknown paths need the token", token: "s", path: "/v1/nothing", headers: ["Host": "localhost"],
      status: 401),
  ]

  @Test("Access", arguments: cases)
  func access(_ example: Case) async {
    let server = await TestServer(
      access: AccessPolicy(token: example.token, allowedHosts: example.hosts, allowedOrigins: example.origins)
    )
    let head = HTTPRequestHead(
      method: .get, path: example.path, headers: example.headers, isSecure: example.isSecure,
      isUnixSocket: example.isUnixSocket)
    switch server.handler.admit(head) {
    case .refuse(let response):
      #expect(response.status == example.status)
      if response.status == 401 { #expect(response.headers["WWW-Authenticate"] == "Bearer") }
    case .respond: #expect(example.status == 200)
    case .upgrade: Issue.record("no upgrade was asked for")
    }
  }

  @Test("The token in the query is an unknown member, not a key")
  func queryToken() async {
    let server = await TestServer(access: AccessPolicy(token: "s"))
    #expect(await server.send(.get, "/v1/server?token=s").status == 401)
  }

  @Test("An allowed foreign origin may read answers, errors too")
  func corsAnswers() async {
    let server = await TestServer(access: AccessPolicy(allowedOrigins: ["https://app.example"]))
    for path in ["/v1/server", "/v1/nothing", "/v1/server?x=1"] {
      let answer = await server.send(
        .get, path, headers: ["Host": "localhost", "Origin": "https://app.example"])
      #expect(answer.headers["Access-Control-Allow-Origin"] == "https://app.example")
      #expect(answer.headers["Access-Control-Expose-Headers"]?.contains("X-Request-Id") == true)
      #expect(answer.headers["Vary"] == "Origin")
    }
    let own = await server.send(
      .get, "/v1/server", headers: ["Host": "localhost", "Origin": "http://localhost"])
    #expect(own.headers["Access-Control-Allow-Origin"] == nil)
  }

  @Test("A preflight of an allowed origin needs no token; others are refused")
  func preflight() async {
    let server = await TestServer(access: AccessPolicy(token: "s", allowedOrigins: ["https://app.example"]))
    let headers: HTTPHeaders = [
      "Host": "localhost", "Origin": "https://app.example", "Access-Control-Request-Method": "PATCH",
      "Access-Control-Request-Private-Network": "true",
    ]
    let answer = await server.send(.options, "/v1/controllers/x/settings", headers: headers)
    #expect(answer.status == 204)
    #expect(answer.headers["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
    #expect(answer.headers["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
    #expect(answer.headers["Access-Control-Allow-Private-Network"] == "true")
    var foreign = headers
    foreign["Origin"] = "http://evil.example"
    #expect(await server.send(.options, "/v1/controllers/x/settings", headers: foreign).status == 403)
    var plain = headers
    plain["Access-Control-Request-Method"] = nil
    #expect(await server.send(.options, "/v1/controllers/x/settings", headers: plain).status == 401)
  }

  @Test("Comparing in constant time gives the same answers as comparing")
  func constantTime() {
    for (left, right) in [("", ""), ("a", "a"), ("a", "b"), ("a", "aa"), ("aa", "a"), ("", "a"), ("a", "")] {
      #expect(ConstantTime.equal(left, right) == (left == right))
    }
  }
}
