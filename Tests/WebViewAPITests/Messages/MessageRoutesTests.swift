import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct MessageRoutesTests {
  @Test("Message handlers are added, replaced, listed and removed by name and world")
  func messageHandlers() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let path = "/v1/controllers/\(id)/message-handlers"
    let added = await server.send(.put, "\(path)/a%20b?contentWorldName=w%2Fx")
    #expect(added.status == 201)
    #expect(added.headers["Location"] == "\(path)/a%20b?contentWorldName=w%2Fx")
    #expect(await server.send(.put, "\(path)/a%20b", json: #"{"contentWorld":{"name":"w/x"}}"#).status == 200)
    #expect(await server.send(.put, "\(path)/a%20b").status == 201)
    let list = await server.send(.get, path).object["messageHandlers"]?.array
    #expect(list?.count == 2)
    #expect(list?.contains { $0.object?["contentWorld"] == ["name": "w/x"] } == true)
    #expect(await server.send(.delete, "\(path)/a%20b?contentWorldName=w%2Fx").status == 204)
    let again = await server.send(.delete, "\(path)/a%20b?contentWorldName=w%2Fx")
    #expect(again.status == 404 && again.details["kind"]?.text == "messageHandler")
    for name in ["callMethodsWithReply", "%0A", String(repeating: "n", count: 129)] {
      let refused = await server.send(.put, "\(path)/\(name)")
      #expect(refused.status == 400 && refused.details["parameter"]?.text == "name", "\(name)")
    }
    let framed = await server.send(.put, "\(path)/a", json: #"{"includeFrameInfo":true}"#)
    #expect(framed.details["pointer"]?.text == "/includeFrameInfo" && framed.details["values"] == [false])
  }
}
