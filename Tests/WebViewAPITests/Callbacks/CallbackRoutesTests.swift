import HTTPModel
import Testing
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct CallbackRoutesTests {
  @Test("A page's question is listed, answered once, and refused the second time")
  func questions() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)"
    _ = await server.send(.put, "\(path)/message-handlers/app")
    let (replies, told) = AsyncStream.makeStream(of: ScriptMessageReply.self)
    await Task { @PageActor in
      let message = ScriptMessage(handlerName: "app", contentWorld: .page, body: #"{"n":[1,null]}"#)
      page.delegate?.page(page, didReceive: message) { told.yield($0) }
    }.value
    let list = await server.send(.get, "\(path)/callbacks?kinds=scriptMessage")
    let question = try #require(list.object["callbacks"]?.array?.first?.object, "\(list)")
    #expect(question["kind"]?.text == "scriptMessage" && question["name"]?.text == "app")
    #expect(list.text.contains(#""body":{"n":[1,null]}"#))
    let next = try #require(list.object["next"]?.integer)
    #expect(
      await server.send(.get, "\(path)/callbacks?since=\(next)").object["callbacks"]?.array?.isEmpty == true)

    let reply = "\(path)/callbacks/\(try #require(question["callbackId"]?.text))/reply"
    let wrong = await server.send(.post, reply, json: #"{"kind":"scriptMessage","value":[1e999]}"#)
    #expect(wrong.status == 400 && wrong.details["pointer"]?.text == "/value/0", "\(wrong)")
    #expect(await server.send(.post, reply, json: #"{"kind":"scriptMessage","value":7}"#).status == 204)
    var answers = replies.makeAsyncIterator()
    #expect(await answers.next() == .json(7))
    #expect(await server.send(.post, reply, json: #"{"kind":"scriptMessage"}"#).code == "conflict")
    let unknown = await server.send(.post, "\(path)/callbacks/x/reply", json: #"{"kind":"scriptMessage"}"#)
    #expect(unknown.status == 404 && unknown.details["kind"]?.text == "callback")
  }
}
