import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct NavigationRoutesTests {
  @Test("Loads answer 200 with the navigation, 202 when nobody waits")
  func loads() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let base = "/v1/controllers/\(id)"
    let loaded = await server.send(.post, "\(base)/load/url", json: #"{"url":"http://localhost/"}"#)
    #expect(loaded.status == 200)
    #expect(loaded.object["loaded"] == true && loaded.object["accepted"] == true)
    let navigation = try #require(loaded.object["navigation"]?.object)
    #expect(navigation["outcome"]?.text == "finished" && navigation["httpStatus"]?.integer == 200)
    #expect(navigation["headers"] == ["content-type": "text/html"])
    let first = try #require(navigation["id"]?.text)
    let unwaited = await server.send(.post, "\(base)/load/html?wait.event=none", json: #"{"html":"<p>"}"#)
    #expect(unwaited.status == 202)
    #expect(unwaited.object["navigation"]?.object?["outcome"] == .null)
    let waited = await server.send(.post, "\(base)/wait?after=\(first)")
    #expect(waited.object["loaded"] == true)
    let known = await server.send(.post, "\(base)/wait", json: #"{"navigationId":"\#(first)"}"#)
    #expect(known.object["navigation"]?.object?["id"]?.text == first)
    for bad in ["n999", "x", "n01", "n+1"] {
      let unknown = await server.send(.post, "\(base)/wait", json: #"{"navigationId":"\#(bad)"}"#)
      #expect(unknown.status == 404 && unknown.details["kind"]?.text == "navigation")
    }
    let back = await server.send(.post, "\(base)/history/back")
    #expect(back.status == 200 && back.object["accepted"] == false && back.object["navigation"] == .null)
  }

  @Test("A URL above its limit is too large, in whatever operation it stands")
  func longURLs() async throws {
    var limits = Limits()
    limits.url = 20
    let server = await TestServer(limits: limits)
    let (id, _) = try await server.makeController()
    let long = "http://localhost/" + String(repeating: "a", count: 20)
    for (operation, member, body) in [
      ("url", "url", #"{"url":"\#(long)"}"#), ("html", "baseURL", #"{"html":"","baseURL":"\#(long)"}"#),
      ("data", "baseURL", #"{"data":"","mimeType":"text/html","baseURL":"\#(long)"}"#),
    ] {
      let answer = await server.send(.post, "/v1/controllers/\(id)/load/\(operation)", json: body)
      #expect(answer.status == 413 && answer.code == "payloadTooLarge", "\(answer)")
      #expect(answer.details == ["limit": 20, "size": 37, "pointer": .string("/\(member)")])
    }
  }

  @Test("Data comes raw with its type in the query, empty data too")
  func rawData() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let path = "/v1/controllers/\(id)/load/data"
    let raw = await server.send(
      .post, "\(path)?mimeType=text/html&encoding=utf-8", body: [0xFF, 0x00], type: "application/octet-stream"
    )
    #expect(raw.status == 200 && raw.object["loaded"] == true)
    let empty = await server.send(
      .post, "\(path)?mimeType=text/html",
      headers: ["Host": "localhost", "Content-Length": "0", "Content-Type": "application/octet-stream"])
    #expect(empty.status == 200)
    #expect(await server.send(.post, path, body: [1], type: "application/octet-stream").status == 400)
    #expect(
      await server.send(.post, "\(path)?mimeType=text/html", body: [1], type: "text/html").status == 415)
  }

  @Test("Files outside the directory, and all without one, are forbidden")
  func files() async throws {
    let none = await TestServer()
    let (id, _) = try await none.makeController()
    let refused = await none.send(.post, "/v1/controllers/\(id)/load/file", json: #"{"path":"/etc/passwd"}"#)
    #expect(refused.status == 403)
    let some = await TestServer(files: try FilesDirectory(root: "/usr/share"))
    let (other, _) = try await some.makeController()
    for path in ["/etc/passwd", "../../etc/passwd", "/usr/share/../../etc/passwd"] {
      let answer = await some.send(.post, "/v1/controllers/\(other)/load/file", json: #"{"path":"\#(path)"}"#)
      #expect(answer.status == 403, "\(answer)")
    }
  }

  @Test("The text of a page is its innerText; no document is null and empty")
  func html() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)/html"
    _ = await server.send(.post, "/v1/controllers/\(id)/load/url", json: #"{"url":"http://localhost/"}"#)
    #expect(await server.send(.get, path).text == #"{"html":"<html></html>"}"#)
    await Task { @PageActor in page.scriptResult = .success(.json(#""a\ud800b""#)) }.value
    let text = await server.send(.get, "\(path)?format=text")
    #expect(text.text == "a\u{FFFD}b" && text.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(await server.send(.get, "\(path)?format=xml").details["values"] == ["json", "html", "text"])
    await Task { @PageActor in page.htmlText = nil }.value
    #expect(await server.send(.get, path).text == #"{"html":null}"#)
    #expect(await server.send(.get, "\(path)?format=html").text == "")
  }
}
