import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct CookieRoutesTests {
  @Test("Cookies are set, read in three formats, and deleted by filters")
  func cookies() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let path = "/v1/controllers/\(id)/cookies"
    let set = await server.send(
      .post, path,
      json:
        #"{"cookies":[{"name":"a","value":"1","domain":"example.com","isHTTPOnly":true,"expiresDate":"2040-01-01T00:00:00.500Z","sameSite":"Strict"}]}"#
    )
    let result = try #require(set.object["results"]?.array?.first?.object)
    #expect(result["accepted"] == true, "\(set)")
    let cookie = try #require(await server.send(.get, path).object["cookies"]?.array?.first?.object)
    #expect(cookie["expiresDate"]?.text == "2040-01-01T00:00:00.500Z")
    #expect(
      cookie["sameSite"]?.text == "strict" && cookie["hostOnly"] == true && cookie["isSessionOnly"] == false)
    let back = JSONWriter.text(["cookies": [.object(cookie)]])
    #expect(
      await server.send(.post, path, json: back).object["results"]?.array?.first?.object?["accepted"] == true)
    let state = await server.send(.get, "\(path)?format=storageState")
    #expect(state.object["cookies"]?.array?.first?.object?["sameSite"]?.text == "Strict")
    #expect(state.object["origins"] == [])
    let file = await server.send(.get, "\(path)?format=netscape")
    #expect(file.text.contains("#HttpOnly_example.com\tFALSE\t/\tFALSE\t2208988800\ta\t1\n"))
    #expect(file.headers["Content-Disposition"] == "attachment")
    let none = await server.send(.delete, "\(path)?name=b")
    #expect(none.object == ["deleted": 0])
    #expect(await server.send(.delete, "\(path)?nam=a").status == 400)
    #expect((await server.send(.delete, "\(path)?name=a").object["deleted"]?.integer ?? 0) > 0)
  }
}
