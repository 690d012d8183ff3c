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

  @Test("A user agent that no header can carry is refused wherever it is given")
  func userAgents() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    for agent in ["", #"a\r\nb"#, "é", String(repeating: "a", count: 4_097)] {
      let settings = #"{"customUserAgent":"\#(agent)"}"#
      let changed = await server.send(.patch, "/v1/controllers/\(id)/settings", json: settings)
      #expect(changed.status == 400 && changed.details["pointer"]?.text == "/customUserAgent")
      let made = await server.send(
        .post, "/v1/controllers", json: #"{"ephemeral":true,"settings":\#(settings)}"#)
      #expect(made.status == 400 && made.details["pointer"]?.text == "/settings/customUserAgent")
    }
    let longest = #"{"customUserAgent":"\#(String(repeating: "~", count: 4_096))"}"#
    #expect(await server.send(.patch, "/v1/controllers/\(id)/settings", json: longest).status == 200)
  }
}
