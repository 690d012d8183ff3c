import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct SettingsRoutesTests {
  @Test("Settings change all or none, and null returns to the default")
  func settings() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let path = "/v1/controllers/\(id)/settings"
    let changed = await server.send(.patch, path, json: #"{"customUserAgent":"A","pageZoom":2}"#)
    #expect(changed.object["customUserAgent"] == "A" && changed.object["pageZoom"] == 2)
    #expect(await server.send(.patch, path, json: #"{"customUserAgent":"B","pageZoom":90}"#).status == 400)
    #expect(await server.send(.get, path).object["customUserAgent"] == "A")
    let back = await server.send(.patch, path, json: #"{"customUserAgent":null}"#)
    #expect(back.object["customUserAgent"] == .null && back.object["pageZoom"] == 2)
  }
}
