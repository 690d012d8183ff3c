import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct EventRoutesTests {
  @Test("The journal answers over HTTP, and with poll waits for what comes")
  func events() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    _ = await server.send(.post, "/v1/controllers/\(id)/load/url", json: #"{"url":"http://localhost/"}"#)
    let page = await server.send(.get, "/v1/controllers/\(id)/events?types=loadStart,loadFinish")
    let types = page.object["events"]?.array?.compactMap { $0.object?["event"]?.object?["type"]?.text }
    #expect(types == ["loadStart", "loadFinish"])
    let next = try #require(page.object["next"]?.integer)
    async let polled = server.send(
      .get, "/v1/controllers/\(id)/events?types=loadFinish&poll=30&since=\(next)")
    _ = await server.send(.post, "/v1/controllers/\(id)/load/url", json: #"{"url":"http://localhost/b"}"#)
    #expect(await polled.object["events"]?.array?.count == 1)
    let other = await server.send(.get, "/v1/events?since=1&run=another")
    #expect(other.object["gap"] != nil && other.object["run"]?.text == server.services.events.run)
    let callbacks = await server.send(.get, "/v1/controllers/\(id)/callbacks")
    #expect(callbacks.object["callbacks"] == [])
    let reply = await server.send(
      .post, "/v1/controllers/\(id)/callbacks/none/reply", json: #"{"kind":"scriptMessage"}"#)
    #expect(reply.status == 404 && reply.details["kind"]?.text == "callback")
  }
}
