import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite struct APIHandlerTests {
  @Test("Every code has its status")
  func statuses() {
    let statuses = Set(ErrorCode.allCases.map(\.httpStatus))
    #expect(statuses == [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504])
  }

  @Test(
    "Paths are exact",
    arguments: [
      "/v1/nothing", "/v1/server/", "/V1/server", "/v1//server", "/v1/./server", "/v1/controllers/%2e%2e",
      "/v1", "/",
    ])
  func noRoute(path: String) async {
    let answer = await TestServer().send(.get, path)
    #expect(answer.status == 404)
    #expect(answer.code == "notFound")
    #expect(answer.details["kind"]?.text == "route")
  }

  @Test("A path that exists names its methods")
  func methods() async {
    let server = await TestServer()
    let wrong = await server.send(.delete, "/v1/server")
    #expect(wrong.status == 405)
    #expect(wrong.headers["Allow"]?.contains("GET") == true)
    let options = await server.send(.options, "/v1/server")
    #expect(options.status == 204)
    #expect(options.headers["Allow"]?.contains("HEAD") == true)
    #expect(await server.send(.head, "/v1/server").status == 200)
    #expect(await server.send(.options, "/v1/nothing").status == 404)
  }

  @Test("The request id is taken, or made, and given back in headers and errors")
  func requestID() async throws {
    let server = await TestServer(node: "n7")
    let taken = await server.send(
      .get, "/v1/nothing", headers: ["Host": "localhost", "X-Request-Id": "abc.1-2_3"])
    #expect(taken.headers["X-Request-Id"] == "abc.1-2_3")
    #expect(taken.error["requestId"]?.text == "abc.1-2_3")
    #expect(taken.headers["X-Node"] == "n7")
    for bad in ["a b", "ü", String(repeating: "x", count: 129)] {
      let made = await server.send(.get, "/v1/server", headers: ["Host": "localhost", "X-Request-Id": bad])
      let id = try #require(made.headers["X-Request-Id"])
      #expect(id != bad && id.count >= 16)
    }
  }

  @Test(
    "Bodies of the wrong type are refused with the remedy",
    arguments: [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
      "application/jsonx",
      "application/json; charset=utf-16", "application/octet-stream", "",
    ])
  func contentTypes(type: String) async {
    let answer = await TestServer().send(
      .post, "/v1/controllers", body: Array("{}".utf8), type: type.isEmpty ? nil : type)
    #expect(answer.status == 415)
    #expect(answer.error["message"]?.text?.contains("--json") == true)
  }

  @Test(
    "JSON in UTF-8 is taken however it is called",
    arguments: [
      "application/json", "Application/JSON", "application/json; charset=UTF-8",
      "application/json;charset=\"utf-8\"",
    ])
  func jsonTypes(type: String) async {
    let answer = await TestServer().send(
      .post, "/v1/controllers", body: Array("{\"ephemeral\":true}".utf8), type: type)
    #expect(answer.status == 201)
  }

  @Test("An empty body equals {} and needs no type")
  func emptyBody() async {
    #expect(await TestServer().send(.post, "/v1/controllers").status == 201)
  }

  @Test("A chunked body without a type is judged when it came")
  func chunkedBody() async {
    let server = await TestServer()
    let head = HTTPRequestHead(
      method: .post, path: "/v1/controllers", headers: ["Host": "localhost", "Transfer-Encoding": "chunked"])
    guard case .respond(let admitted, _) = server.handler.admit(head) else {
      Issue.record("refused")
      return
    }
    #expect(await server.handler.respond(to: admitted, body: []).status == 201)
    #expect(await server.handler.respond(to: admitted, body: Array("{}".utf8)).status == 415)
  }

  @Test(
    "Bodies that are no JSON object are refused at their place",
    arguments: [
      ("{", "", 1), ("[]", "", nil), ("{\"label\":\"a\",\"label\":\"b\"}", "/label", 13), ("{}x", "", 2),
      ("nul", "", 0),
      ("{\"label\":\"\u{1}\"}", "/label", 10),
    ] as [(String, String, Int?)])
  func malformedBody(body: String, pointer: String, offset: Int?) async {
    let answer = await TestServer().send(.post, "/v1/controllers", json: body)
    #expect(answer.status == 400)
    #expect(answer.code == "invalidArgument")
    #expect(answer.details["pointer"]?.text == pointer)
    #expect(answer.details["offset"]?.integer == offset)
  }

  @Test("A body that is announced too large is refused before a byte of it")
  func announcedTooLarge() async {
    var limits = Limits()
    limits.requestBody = 10
    let server = await TestServer(limits: limits)
    let head = HTTPRequestHead(
      method: .post, path: "/v1/controllers",
      headers: ["Host": "localhost", "Content-Length": "11", "Content-Type": "application/json"])
    guard case .refuse(let response) = server.handler.admit(head) else {
      Issue.record("admitted")
      return
    }
    let answer = TestAnswer(response)
    #expect(answer.status == 413)
    #expect(answer.details["limit"]?.integer == 10)
    #expect(answer.details["size"]?.integer == 11)
  }

  @Test(
    "What goes wrong with a body has its status",
    arguments: [
      (HTTPBodyProblem.tooLarge(limit: 5), 413), (.malformedEncoding, 400), (.unsupportedEncoding("br"), 415),
      (.tooSlow, 504),
    ])
  func bodyProblems(problem: HTTPBodyProblem, status: Int) async {
    let server = await TestServer()
    let head = HTTPRequestHead(method: .post, path: "/v1/controllers", headers: ["Host": "localhost"])
    guard case .respond(let admitted, _) = server.handler.admit(head) else {
      Issue.record("refused")
      return
    }
    #expect(server.handler.refuse(admitted, problem: problem).status == status)
  }

  @Test("GET takes no body")
  func getWithBody() async {
    #expect(await TestServer().send(.get, "/v1/server", json: "{}").status == 400)
  }

  @Test("Answers under /v1 are never stored; every answer forbids sniffing")
  func headers() async {
    let server = await TestServer()
    let state = await server.send(.get, "/v1/server")
    #expect(state.headers["Cache-Control"] == "no-store")
    #expect(state.headers["X-Content-Type-Options"] == "nosniff")
    #expect(state.headers["Content-Type"] == "application/json")
    #expect(await server.send(.get, "/openapi.json").headers["Cache-Control"] == nil)
  }

  @Test("Bytes of pages cannot act as documents of the server; pictures may be shown")
  func pageBytes() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    _ = await server.send(.post, "/v1/controllers/\(id)/load/url", json: "{\"url\":\"http://localhost/\"}")
    let html = await server.send(.get, "/v1/controllers/\(id)/html?format=html")
    #expect(html.text == "<html></html>")
    #expect(html.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(html.headers["Content-Security-Policy"] == "sandbox")
    #expect(html.headers["Content-Disposition"] == "attachment")
    #expect(html.headers["Cross-Origin-Resource-Policy"] == "same-origin")
    let picture = await server.send(.get, "/v1/controllers/\(id)/snapshot")
    #expect(picture.bytes == StubImage.png)
    #expect(picture.headers["Content-Type"] == "image/png")
    #expect(picture.headers["Content-Security-Policy"] == nil)
    _ = page
  }

  @Test(
    "A server that is not ready answers probes and refuses the rest",
    arguments: [
      Readiness.State.starting, .draining,
    ])
  func notReady(state: Readiness.State) async {
    let server = await TestServer(readiness: state)
    #expect(await server.send(.get, "/healthz").status == 200)
    let ready = await server.send(.get, "/readyz")
    #expect(ready.status == 503)
    #expect(ready.details["reason"]?.text == state.rawValue)
    #expect(ready.headers["Retry-After"] != nil)
    #expect(await server.send(.post, "/v1/controllers").status == 503)
    #expect(await server.send(.get, "/v1/server").status == 200)
  }

  @Test("Results above the limit are refused with both sizes")
  func largeResult() async throws {
    var limits = Limits()
    limits.result = 2_000
    let server = await TestServer(limits: limits)
    let (id, page) = try await server.makeController()
    await Task { @PageActor in
      page.scriptResult = .success(.json("\"" + String(repeating: "x", count: 3_000) + "\""))
    }
    .value
    let answer = await server.send(.post, "/v1/controllers/\(id)/evaluate", json: "{\"expression\":\"x\"}")
    #expect(answer.status == 413)
    #expect(answer.details["limit"]?.integer == 2_000)
    #expect((answer.details["size"]?.integer ?? 0) >= 3_000)
  }
}
