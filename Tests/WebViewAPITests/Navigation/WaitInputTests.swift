import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct WaitInputTests {
  private func refusal(of body: String, at path: String = "/load/html") async throws -> TestAnswer {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    return await server.send(.post, "/v1/controllers/\(id)\(path)", json: body)
  }

  @Test(arguments: [
    (#"{"html":"","wait":{"event":"loaded"}}"#, "/wait/event"),
    (#"{"html":"","wait":{"selector":""}}"#, "/wait/selector"),
    (#"{"html":"","wait":{"visible":1}}"#, "/wait/visible"),
    (#"{"html":"","wait":{"hidden":null}}"#, "/wait/hidden"),
    (#"{"html":"","wait":{"function":""}}"#, "/wait/function"),
    (#"{"html":"","wait":{"networkIdle":0}}"#, "/wait/networkIdle"),
    (#"{"html":"","wait":{"networkIdle":601}}"#, "/wait/networkIdle"),
    (#"{"html":"","wait":{"delay":-1}}"#, "/wait/delay"),
    (#"{"html":"","wait":{"selektor":"a"}}"#, "/wait/selektor"),
    (#"{"html":"","wait":"load"}"#, "/wait"),
    (#"{"html":"","wait":{"visible":"a["}}"#, "/wait/visible"),
    (#"{"html":"","wait":{"selector":"["}}"#, "/wait/selector"),
    (#"{"html":"","followClientRedirects":21}"#, "/followClientRedirects"),
    (#"{"html":"","followClientRedirects":true}"#, "/followClientRedirects"),
    (#"{"html":"","followClientRedirects":1,"wait":{"event":"none"}}"#, "/followClientRedirects"),
  ])
  func mistakesAreNamed(body: String, pointer: String) async throws {
    let answer = try await refusal(of: body)
    #expect(answer.status == 400, "\(answer)")
    #expect(answer.details["pointer"]?.text == pointer, "\(answer)")
  }

  @Test("Without an event, waitForLoad needs something else")
  func nothingToWaitFor() async throws {
    let answer = try await refusal(of: #"{"wait":{"event":"none"}}"#, at: "/wait")
    #expect(answer.status == 400 && answer.details["pointer"]?.text == "/wait/event")
  }

  @Test("Functions have the limit of scripts")
  func limits() async throws {
    var limits = Limits()
    limits.script = 10
    let server = await TestServer(limits: limits)
    let (id, _) = try await server.makeController()
    let answer = await server.send(
      .post, "/v1/controllers/\(id)/load/html", json: #"{"html":"","wait":{"function":"return 12345"}}"#)
    #expect(answer.status == 413 && answer.details["pointer"]?.text == "/wait/function", "\(answer)")
  }

  @Test("All of it is taken from bodies and from queries")
  func all() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    await Task { @PageActor in page.scriptResult = .success(.json("true")) }.value
    let path = "/v1/controllers/\(id)/load/html"
    let body = await server.send(
      .post, path,
      json: """
        {"html":"","followClientRedirects":2,"wait":{"event":"none","selector":"a","visible":"a","hidden":"a",
        "function":"return 1","delay":0}}
        """)
    #expect(body.status == 200 && body.object["loaded"] == true, "\(body)")
    let query = await server.send(
      .post, "\(path)?wait.event=commit&wait.selector=a%23b&wait.function=return%201&wait.delay=0",
      json: #"{"html":""}"#)
    #expect(query.status == 200 && query.object["loaded"] == true, "\(query)")
    let mixed = await server.send(
      .post, "\(path)?wait.delay=1", json: #"{"html":"","wait":{"event":"load"}}"#)
    #expect(mixed.status == 400, "\(mixed)")
  }

  @Test("A navigation is found by its id, and an unknown one is not")
  func lookup() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let base = "/v1/controllers/\(id)"
    let loaded = await server.send(.post, "\(base)/load/url", json: #"{"url":"http://localhost/"}"#)
    let navigation = await server.send(.get, "\(base)/navigations/n1")
    #expect(navigation.status == 200)
    #expect(loaded.object["navigation"] == .object(navigation.object))
    for unknown in ["n2", "x", "n01"] {
      let answer = await server.send(.get, "\(base)/navigations/\(unknown)")
      #expect(answer.status == 404 && answer.details["kind"]?.text == "navigation")
    }
  }

  @Test("The trust of a server is told with its certificates, and null without any")
  func serverTrust() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)/server-trust"
    _ = await server.send(.post, "/v1/controllers/\(id)/load/url", json: #"{"url":"https://localhost/"}"#)
    #expect(await server.send(.get, path).object == ["serverTrust": .null])
    await Task { @PageActor in
      page.serverTrust = ServerTrust(
        certificates: ["PEM"], subject: "CN=a", issuer: nil, notBefore: nil, notAfter: nil,
        faults: [.unknownIssuer])
    }.value
    #expect(
      await server.send(.get, path).object == [
        "serverTrust": [
          "certificates": ["PEM"], "subject": "CN=a", "issuer": .null, "notBefore": .null, "notAfter": .null,
          "errors": ["unknownIssuer"],
        ]
      ])
  }
}
