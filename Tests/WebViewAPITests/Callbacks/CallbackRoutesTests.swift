import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct CallbackRoutesTests {
  /// A server with a page that has posted a message, the path where it is answered, and what became of it.
  @PageActor
  private final class Question {
    let server = TestServer()
    private(set) var path = ""
    private(set) var replies: [ScriptMessageReply] = []

    func ask() async throws {
      let (id, page) = try await server.makeController()
      let controller = "/v1/controllers/\(id)"
      #expect(await server.send(.put, "\(controller)/message-handlers/app").status == 201)
      let message = ScriptMessage(handlerName: "app", contentWorld: .page, body: "1")
      page.delegate?.page(page, didReceive: message) { self.replies.append($0) }
      let open = await server.send(.get, "\(controller)/callbacks").object["callbacks"]?.array
      let callback = try #require(open?.first?.object?["callbackId"]?.text)
      path = "\(controller)/callbacks/\(callback)/reply"
    }
  }

  private static let refused: [(body: String, pointer: String)] = [
    (#"{}"#, "/kind"), (#"{"kind":"dialog"}"#, "/kind"), (#"{"kind":"scriptMessage","valu":1}"#, "/valu"),
    (#"{"kind":"scriptMessage","value":1,"typedValue":{"type":"null"}}"#, "/typedValue"),
    (#"{"kind":"scriptMessage","value":1,"error":{"code":"cancelled","message":""}}"#, "/error"),
    (#"{"kind":"scriptMessage","typedValue":{"type":"what"}}"#, "/typedValue/type"),
    (#"{"kind":"scriptMessage","error":"no"}"#, "/error"),
    (#"{"kind":"scriptMessage","error":{"code":"timeout","message":""}}"#, "/error/code"),
    (#"{"kind":"scriptMessage","error":{"code":"cancelled"}}"#, "/error/message"),
    (#"{"kind":"scriptMessage","error":{"code":"cancelled","message":1}}"#, "/error/message"),
    (#"{"kind":"scriptMessage","error":{"code":"cancelled","message":"","more":1}}"#, "/error/more"),
  ]

  @PageActor
  @Test("A reply that is not one is refused by its pointer and leaves the question open")
  func refusals() async throws {
    let question = Question()
    try await question.ask()
    for (body, pointer) in Self.refused {
      let answer = await question.server.send(.post, question.path, json: body)
      #expect(answer.status == 400 && answer.details["pointer"]?.text == pointer, "\(body): \(answer)")
    }
    let inQuery = await question.server.send(.post, question.path + "?kind=scriptMessage&value=1")
    #expect(inQuery.status == 400 && inQuery.details["parameter"]?.text == "value")
    #expect(question.replies.isEmpty)
    let good = await question.server.send(.post, question.path, json: #"{"kind":"scriptMessage","value":1}"#)
    #expect(good.status == 204)
    #expect(question.replies == [.json(1)])
  }

  @PageActor
  @Test(
    "A reply is what the page's promise settles with",
    arguments: [
      (#"{"kind":"scriptMessage"}"#, .undefined), (#"{"kind":"scriptMessage","value":null}"#, .json(.null)),
      (
        #"{"kind":"scriptMessage","typedValue":{"type":"number","value":"NaN"}}"#,
        .typed(["type": "number", "value": "NaN"])
      ),
      (
        #"{"kind":"scriptMessage","error":{"code":"javaScriptError","message":"no"}}"#,
        .failure(ServiceError(.javaScriptError, "no"))
      ),
    ] as [(String, ScriptMessageReply)])
  func replies(body: String, reply: ScriptMessageReply) async throws {
    let question = Question()
    try await question.ask()
    #expect(await question.server.send(.post, question.path, json: body).status == 204)
    #expect(question.replies == [reply])
    #expect(await question.server.send(.post, question.path, json: body).status == 409)
    #expect(question.replies.count == 1)
  }

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
