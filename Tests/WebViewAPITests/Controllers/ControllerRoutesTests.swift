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
    let some = await TestServer(filesDirectory: "/usr/share")
    let (other, _) = try await some.makeController()
    for path in ["/etc/passwd", "../../etc/passwd", "/usr/share/../../etc/passwd"] {
      let answer = await some.send(.post, "/v1/controllers/\(other)/load/file", json: #"{"path":"\#(path)"}"#)
      #expect(answer.status == 403, "\(answer)")
    }
  }

  @Test("Results of scripts keep undefined apart from null, and typed apart from plain")
  func scripts() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)/evaluate"
    let outcomes: [(JavaScriptResult, String)] = [
      (.json("null"), #"{"result":null}"#), (.undefined, "{}"), (.discarded, "{}"),
      (.json(#"["\ud800",1e400]"#), #"{"result":["\ud800",1e400]}"#),
      (.typed(#"{"type":"undefined"}"#), #"{"typedResult":{"type":"undefined"}}"#),
    ]
    for (result, body) in outcomes {
      await Task { @PageActor in page.scriptResult = .success(result) }.value
      #expect(await server.send(.post, path, json: #"{"expression":"x"}"#).text == body)
    }
    let failures: [(EvaluationFailure, Int, String)] = [
      (.exception(JavaScriptException(name: "TypeError", message: "x", line: 3)), 422, "javaScriptError"),
      (.notSerializable(path: "/a", reason: "a function"), 422, "serializationError"),
      (.tooLarge(size: 9, limit: 5), 413, "payloadTooLarge"),
    ]
    for (failure, status, code) in failures {
      await Task { @PageActor in page.scriptResult = .failure(failure) }.value
      let answer = await server.send(.post, path, json: #"{"expression":"x"}"#)
      #expect(answer.status == status && answer.code == code)
    }
    await Task { @PageActor in page.scriptResult = .success(.json("1")) }.value
    let raw = await server.send(
      .post, "\(path)?contentWorldName=w&resultMode=typed", body: Array("return 1".utf8),
      type: "text/javascript")
    #expect(raw.status == 200)
    let call = try #require(await Task { @PageActor in page.calls.last }.value)
    #expect(
      call.code == .functionBody("return 1") && call.contentWorld == .named("w") && call.resultMode == .typed)
    let notText = await server.send(.post, path, body: [0xFF], type: "text/javascript")
    #expect(notText.status == 400)
  }

  @Test("A page that never answers is 504 at the deadline")
  func deadline() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    await Task { @PageActor in page.scriptResult = nil }.value
    let answer = await server.send(
      .post, "/v1/controllers/\(id)/evaluate", json: #"{"expression":"x","timeout":0.05}"#)
    #expect(answer.status == 504 && answer.code == "timeout")
  }

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
  }

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

  @Test("The server tells its version, limits and what it can do")
  func server() async throws {
    let server = await TestServer()
    let told = await server.send(.get, "/v1/server").object
    #expect(told["version"]?.text == "1.2.3" && told["limits"]?.object?["timeout"]?.integer == 600)
    #expect(told["auth"] == ["tokenRequired": false] && told["pool"] == ["controllers": 0])
    let capabilities = await server.send(.get, "/v1/capabilities").object
    #expect(
      capabilities["navigationPolicies"] == ["allow", "cancel"] && capabilities["downloadPolicy"] == false)
    #expect(await server.send(.get, "/openapi.json").text == #"{"openapi":"3.1.0"}"#)
    #expect(server.faults.withLock { $0 } == [])
  }
}
