import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct ScriptRoutesTests {
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
}
