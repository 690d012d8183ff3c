import HTTPModel
import Testing

@Suite struct RouterTests {
  private static let router = Router<String>([
    (.get, "/", "root"),
    (.get, "/healthz", "health"),
    (.get, "/v1/controllers", "list"),
    (.post, "/v1/controllers", "create"),
    (.get, "/v1/controllers/{controllerId}", "get"),
    (.delete, "/v1/controllers/{controllerId}", "dispose"),
    (.get, "/v1/controllers/{controllerId}/state", "state"),
    (.put, "/v1/controllers/{controllerId}/message-handlers/{name}", "putHandler"),
    (.get, "/v1/controllers/special/extra", "special"),
    (.options, "/v1/custom", "options"),
  ])

  private func match(_ method: HTTPMethod, _ path: String) -> (String, [String: String])? {
    guard case .match(let match) = Self.router.route(method: method, path: path) else { return nil }
    return (match.value, match.parameters)
  }

  @Test(
    arguments: [
      ("/", "root", [:]),
      ("/healthz", "health", [:]),
      ("/v1/controllers", "list", [:]),
      ("/v1/controllers/a.b-c", "get", ["controllerId": "a.b-c"]),
      ("/v1/controllers/a/state", "state", ["controllerId": "a"]),
      ("/v1/controllers/a%20b", "get", ["controllerId": "a b"]),
      ("/v1/controllers/a%2Fb", "get", ["controllerId": "a/b"]),
      ("/v1/controllers/a%2fb/state", "state", ["controllerId": "a/b"]),
      ("/v1/controllers/%C3%A9", "get", ["controllerId": "é"]),
      ("/v1/controllers/%252e", "get", ["controllerId": "%2e"]),
      ("/v1/controllers/...", "get", ["controllerId": "..."]),
      ("/v1/%63ontrollers", "list", [:]),
      ("/v1/controllers/special/state", "state", ["controllerId": "special"]),
      ("/v1/controllers/special/extra", "special", [:]),
    ] as [(String, String, [String: String])])
  func aPathThatExistsIsFoundAndDecodedOnce(path: String, value: String, parameters: [String: String]) throws
  {
    let found = try #require(match(.get, path))
    #expect(found.0 == value)
    #expect(found.1 == parameters)
  }

  @Test(arguments: [
    "", "v1/controllers", "//", "/v1", "/v1/", "/v1/controllers/", "//v1/controllers", "/v1//controllers",
    "/V1/controllers", "/v1/Controllers", "/healthz/", "/v1/controllers/a/state/", "/v1/controllers//state",
    "/v1/controllers/.", "/v1/controllers/..", "/v1/controllers/%2e%2E", "/v1/controllers/%2e",
    "/v1/controllers/%", "/v1/controllers/%4", "/v1/controllers/%zz", "/v1/controllers/%ff",
    "/v1/controllers/%c3%28", "/v1/controllers/a/unknown", "/v1/controllers/a/../b", "/v1%2Fcontrollers",
  ])
  func everythingElseIsNoRoute(path: String) {
    guard case .noRoute = Self.router.route(method: .get, path: path) else {
      Issue.record("\(path) is taken for a route")
      return
    }
  }

  @Test func headIsAllowedWhereGetIs() {
    #expect(match(.head, "/v1/controllers/a")?.0 == "get")
    #expect(match(.head, "/v1/controllers/a/message-handlers/n") == nil)
  }

  @Test func aWrongMethodTellsTheAllowedOnes() {
    guard case .wrongMethod(let allowed) = Self.router.route(method: .patch, path: "/v1/controllers/a") else {
      Issue.record("no wrongMethod")
      return
    }
    #expect(allowed == [.get, .head, .delete, .options])
    guard case .wrongMethod(let lower) = Self.router.route(method: HTTPMethod("get"), path: "/healthz") else {
      Issue.record("methods compare by case")
      return
    }
    #expect(lower == [.get, .head, .options])
  }

  @Test func optionsIsAnsweredOnAPathThatExists() {
    guard case .options(let allowed) = Self.router.route(method: .options, path: "/v1/controllers") else {
      Issue.record("no options")
      return
    }
    #expect(allowed == [.get, .head, .post, .options])
    guard case .noRoute = Self.router.route(method: .options, path: "/nowhere") else {
      Issue.record("options on a path that does not exist")
      return
    }
    #expect(match(.options, "/v1/custom")?.0 == "options")
  }

  @Test func twoParametersKeepTheirNames() {
    let found = match(.put, "/v1/controllers/c/message-handlers/%2e%2e%2f")
    #expect(found?.1 == ["controllerId": "c", "name": "../"])
  }
}
