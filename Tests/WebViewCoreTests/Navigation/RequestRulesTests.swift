import Testing

@testable import WebViewCore

@Suite struct RequestRulesTests {
  private let url = "http://site.test/a"

  private func check(_ change: (inout LoadRequest) -> Void) throws(ServiceError) -> LoadRequest {
    var request = LoadRequest(url: url)
    change(&request)
    return try RequestRules.checked(request, at: "")
  }

  private func pointer(_ change: (inout LoadRequest) -> Void) -> JSONValue? {
    do {
      _ = try check(change)
      return nil
    } catch {
      #expect(error.code == .invalidArgument)
      return error.details["pointer"]
    }
  }

  @Test(arguments: [
    ("get", "GET"), ("Post", "POST"), ("delete", "DELETE"), ("patch", "patch"), ("purge", "purge"),
    ("M-S", "M-S"),
  ])
  func wellKnownMethodsAreWrittenInCapitals(given: String, sent: String) throws {
    #expect(try check { $0.method = given }.method == sent)
  }

  @Test(arguments: ["", "GE T", "GET\r\nX: y", "ÄT", "connect", "TRACE", "Track"])
  func methodsThatLoadNothingAreRefused(method: String) {
    #expect(pointer { $0.method = method } == "/method")
  }

  @Test func valuesLoseTheBlanksAroundThem() throws {
    let request = try check { $0.headers = [.init(name: "X-A", value: " \tb c\t ")] }
    #expect(request.headers == [.init(name: "X-A", value: "b c")])
  }

  @Test(arguments: [
    "Connection", "keep-alive", "Proxy-Authorization", "proxy-anything", "TE", "Trailer", "Transfer-Encoding",
    "Upgrade", "Host", "Content-Length", "Expect",
  ])
  func headersOfTheConnectionAreRefusedByName(name: String) {
    #expect(pointer { $0.headers = [.init(name: name, value: "x")] } == .string("/headers/\(name)"))
  }

  @Test(arguments: ["a\nb", "a\rb", "a\0b"])
  func aValueIsOneLine(value: String) {
    #expect(pointer { $0.headers = [.init(name: "X-A", value: value)] } == "/headers/X-A")
  }

  @Test func namesAreTokensAndComeOnce() {
    #expect(pointer { $0.headers = [.init(name: "a/b", value: "x")] } == "/headers/a~1b")
    #expect(pointer { $0.headers = [.init(name: "", value: "x")] } == "/headers/")
    let twice = [LoadRequest.Header(name: "X-A", value: "1"), .init(name: "x-a", value: "2")]
    #expect(pointer { $0.headers = twice } == "/headers/x-a")
  }

  @Test func aBodyNeedsAMethodThatTakesOne() throws {
    #expect(pointer { $0.body = [] } == "/body")
    #expect(
      pointer {
        $0.method = "head"
        $0.body = [1]
      } == "/body")
    let put = try check {
      $0.method = "PUT"
      $0.body = [1]
    }
    #expect(put[header: "content-type"] == "application/x-www-form-urlencoded")
    #expect(try check { $0.method = "DELETE" }.headers.isEmpty)
    let typed = try check {
      $0.method = "POST"
      $0.headers = [.init(name: "content-type", value: "a/b")]
    }
    #expect(typed.headers.map(\.value) == ["a/b"])
  }

  @Test func onlyPoliciesThatCanBeKeptAreTaken() throws {
    for policy in CachePolicy.allCases {
      let isRefused = pointer { $0.cachePolicy = policy } == "/cachePolicy"
      #expect(isRefused == !CachePolicy.honoured.contains(policy))
    }
    for seconds in [0, -1, Double.infinity, .nan] {
      #expect(pointer { $0.timeoutInterval = seconds } == "/timeoutInterval")
    }
  }

  @Test func aCookieHeaderIsOfTheHostAlone() throws {
    let request = try check { $0.headers = [.init(name: "cookie", value: "a=1; b=2=3;")] }
    #expect(
      request.cookies == [
        Cookie(name: "a", value: "1", domain: "site.test"),
        Cookie(name: "b", value: "2=3", domain: "site.test"),
      ])
    #expect(request.cookies.allSatisfy { $0.isHostOnly && $0.isSessionOnly && $0.path == "/" })
    #expect(pointer { $0.headers = [.init(name: "Cookie", value: "a")] } == "/headers/Cookie")
    #expect(pointer { $0.headers = [.init(name: "Cookie", value: "=b")] } == "/headers/Cookie")
  }

  // MARK: Redirects

  private static let secret = [
    LoadRequest.Header(name: "Authorization", value: "x"), .init(name: "Content-Type", value: "a/b"),
    .init(name: "accept", value: "y"), .init(name: "X-A", value: "z"),
  ]

  private func redirected(
    _ method: String, _ status: Int, to url: String = "http://site.test/b"
  ) -> LoadRequest {
    LoadRequest(
      url: self.url + "#f", method: method, headers: Self.secret, body: method == "HEAD" ? nil : [1]
    ).redirected(to: url, status: status)
  }

  @Test(arguments: [
    ("POST", 301, "GET"), ("POST", 302, "GET"), ("PUT", 301, "PUT"), ("PUT", 302, "PUT"), ("PUT", 303, "GET"),
    ("HEAD", 303, "HEAD"), ("POST", 303, "GET"), ("POST", 307, "POST"), ("PATCH", 308, "PATCH"),
  ])
  func redirectsChangeTheMethodAsTheStandardSays(method: String, status: Int, next: String) {
    let request = redirected(method, status)
    #expect(request.method == next)
    #expect((request.body != nil) == (next != "GET" && next != "HEAD"))
    #expect((request[header: "Content-Type"] != nil) == (next == method))
    #expect(request[header: "Authorization"] == "x")
    #expect(request.url == "http://site.test/b#f")
  }

  @Test(arguments: [
    "https://site.test/b", "http://site.test:81/b", "http://a.site.test/b", "http://site.test@b/",
  ])
  func anotherOriginGetsWhatIsNoSecret(url: String) {
    let put = redirected("PUT", 307, to: url)
    #expect(put.headers.map(\.name) == ["accept", "Content-Type", "Sec-Fetch-Site", "Origin"])
    #expect(put[header: "Sec-Fetch-Site"] == "cross-site" && put[header: "Origin"] == "null")
    #expect(redirected("PUT", 303, to: url).headers.map(\.name) == ["accept", "Sec-Fetch-Site"])
  }

  @Test func aFragmentOfTheRedirectIsItsOwn() {
    #expect(redirected("PUT", 307, to: "http://u:p@site.test/b#g").url.hasSuffix("#g"))
    #expect(redirected("PUT", 307, to: "http://u:p@site.test/b#g").headers.count == 4)
  }

  @Test func portsOfOtherProtocolsAreNotAskedAnything() {
    #expect(LoadRequest(url: "http://site.test:25/").isPortBlocked)
    #expect(!LoadRequest(url: "http://site.test:8080/").isPortBlocked)
    #expect(!LoadRequest(url: "http://site.test/").isPortBlocked)
  }
}

@Suite struct SimulatedRulesTests {
  private func pointer(_ headers: [LoadRequest.Header], status: Int = 200) -> JSONValue? {
    do {
      _ = try SimulatedRules.checked(SimulatedResponse(statusCode: status, headers: headers, data: []))
      return nil
    } catch { return error.details["pointer"] }
  }
  private let type = LoadRequest.Header(name: "content-type", value: "text/html")

  @Test func headersWithAnEffectAreTakenAndTheOthersNamed() {
    #expect(pointer([type]) == nil)
    #expect(
      pointer([
        type, .init(name: "Set-Cookie", value: "a=b"), .init(name: "set-cookie", value: "c=d"),
        .init(name: "Content-Security-Policy", value: "default-src 'none'"),
      ]) == nil)
    for name in ["Location", "X-A", "Content-Disposition", "Content-Security-Policy-Report-Only"] {
      #expect(pointer([type, .init(name: name, value: "x")]) == .string("/response/headers/\(name)"))
    }
    #expect(pointer([type, .init(name: "Set-Cookie", value: "a\nb")]) == "/response/headers/Set-Cookie")
  }

  @Test func oneTypeIsNeeded() {
    let place: JSONValue = "/response/headers/Content-Type"
    #expect(pointer([]) == place && pointer([type, type]) == place)
    for value in ["", "text", "text/html/x", "text/html; charset=klingon"] {
      #expect(pointer([.init(name: "Content-Type", value: value)]) == place, "\(value)")
    }
    for status in [0, 100, 600] { #expect(pointer([type], status: status) == "/response/statusCode") }
  }

  @Test func theTypeIsReadAsItIsWritten() {
    #expect(ContentType(#"Text/HTML ; a=b; Charset="x-sjis""#)?.charset == "x-sjis")
    #expect(ContentType("Text/HTML")?.mimeType == "text/html")
    #expect(ContentType("text/html")?.charset == nil)
  }

  @Test func aReloadDoesNotTouchTheJar() {
    let response = SimulatedResponse(headers: [type, .init(name: "SET-COOKIE", value: "a=b")], data: [1])
    let request = LoadRequest(url: "http://site.test/")
    guard case .simulated(request, let kept) = LoadContent.simulated(request, response).kept else {
      Issue.record("not kept")
      return
    }
    #expect(kept.headers == [type] && kept.data == [1])
  }
}
