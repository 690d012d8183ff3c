import Testing
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct SourceRoutesTests {
  @Test("The bytes come with the site's type and with what keeps a browser from running them")
  func source() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)/source"
    let none = await server.send(.get, path)
    #expect(none.status == 404 && none.details["kind"]?.text == "document")
    _ = await server.send(.post, "/v1/controllers/\(id)/load/url", json: #"{"url":"http://localhost/"}"#)
    await Task { @PageActor in page.mainResource = [0xFF, 0x00, 0x3C] }.value
    let answer = await server.send(.get, path)
    #expect(answer.status == 200 && answer.bytes == [0xFF, 0x00, 0x3C])
    #expect(answer.headers["Content-Type"] == "text/html")
    #expect(answer.headers["Content-Security-Policy"] == "sandbox")
    #expect(answer.headers["Content-Disposition"] == "attachment")
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    #expect(await server.send(.get, path + "?format=json").status == 400)
  }
}
