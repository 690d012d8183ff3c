import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct ControllerRoutesTests {
  @Test("A controller is made with what was supplied, found, listed and disposed, twice")
  func life() async throws {
    let server = await TestServer(node: "n1")
    let made = await server.send(
      .post, "/v1/controllers",
      json:
        #"{"ephemeral":true,"label":"shop","viewport":{"width":800,"height":600},"settings":{"pageZoom":2}}"#)
    #expect(made.status == 201)
    let id = try #require(made.object["id"]?.text)
    #expect(id.hasPrefix("n1."))
    #expect(made.headers["Location"] == "/v1/controllers/\(id)")
    #expect(
      made.object["configuration"] == [
        "ephemeral": true, "label": "shop", "viewport": ["width": 800, "height": 600],
        "settings": ["pageZoom": 2],
      ])
    #expect(made.object["state"]?.object?["url"] == .null)
    #expect(made.object["openerId"] == .null)
    let one = await server.send(.get, "/v1/controllers/\(id)")
    #expect(one.object["createdAt"] == made.object["createdAt"])
    _ = await server.send(.post, "/v1/controllers", json: #"{"ephemeral":true}"#)
    let all = await server.send(.get, "/v1/controllers")
    #expect(all.object["controllers"]?.array?.count == 2)
    let labelled = await server.send(.get, "/v1/controllers?label=shop")
    let listed = try #require(labelled.object["controllers"]?.array?.first?.object)
    #expect(listed["id"]?.text == id && listed["age"] != nil && listed["memory"] == .null)
    for _ in 0..<2 { #expect(await server.send(.delete, "/v1/controllers/\(id)").status == 204) }
    let gone = await server.send(.get, "/v1/controllers/\(id)/state")
    #expect(gone.status == 410 && gone.code == "disposed")
    let unknown = await server.send(.delete, "/v1/controllers/nothing")
    #expect(unknown.status == 404 && unknown.details["kind"]?.text == "controller")
  }
}
