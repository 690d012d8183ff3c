import Synchronization
import Testing
import WebViewTesting

@testable import WebViewCore

/// Script messages from the page to whoever answers.
@PageActor
@Suite struct MessageTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)

  /// What became of a message.
  @PageActor private final class Outcome {
    var replies: [ScriptMessageReply] = []
    let signal = OneShot()
    func take(_ reply: ScriptMessageReply) {
      replies.append(reply)
      signal.fire()
    }
    var code: ErrorCode? { if case .failure(let error)? = replies.first { error.code } else { nil } }
  }

  private func listening(
    _ limits: Limits = Limits(),
    _ handler: MessageHandlerRegistration = MessageHandlerRegistration(name: "ask")
  ) async throws -> (bench: TestBench, controller: WebViewController, page: FakePage) {
    let bench = TestBench(limits: limits)
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.url(url), deadline: soon)
    #expect(try controller.addMessageHandler(handler))
    return (bench, controller, page)
  }
  private func post(_ page: FakePage, _ body: String? = "1", world: ContentWorld = .page) -> Outcome {
    let outcome = Outcome()
    page.post(ScriptMessage(handlerName: "ask", contentWorld: world, body: body)) { outcome.take($0) }
    return outcome
  }
  private func open(_ bench: TestBench, _ controller: WebViewController) async throws -> [Callback] {
    try await bench.callbacks.callbacks(controllerID: controller.id, kinds: nil, since: nil, poll: 0)
      .callbacks
  }

  @Test func aMessageIsAnsweredOverItsCallback() async throws {
    let (bench, controller, page) = try await listening()
    let outcome = post(page, "{\"a\":1}")
    let callback = try #require(try await open(bench, controller).first)
    #expect(callback.payload["name"] == "ask")
    #expect(callback.payload["body"] == .raw("{\"a\":1}"))
    #expect(callback.payload["contentWorld"] == "page")
    #expect(callback.navigationID == NavigationID(number: 1))
    try bench.callbacks.reply(
      to: callback.id, controllerID: controller.id, reply: .json(42))
    #expect(outcome.replies == [.json(42)])
    #expect(bench.toldTypes.suffix(2) == [.callbackOpened, .callbackClosed])
    #expect(bench.told.last?.details["reason"] == "answered")
    let second = #expect(throws: ServiceError.self) {
      try bench.callbacks.reply(
        to: callback.id, controllerID: controller.id, reply: .undefined)
    }
    #expect(second?.code == .conflict)
  }

  @Test func undefinedBodiesHaveNoMemberAndTypedOnesTheirOwn() async throws {
    let named = ContentWorld.named("w")
    let (bench, controller, page) = try await listening(
      Limits(), MessageHandlerRegistration(name: "ask", contentWorld: named, bodyMode: .typed))
    _ = post(page, nil, world: named)
    _ = post(page, "{\"type\":\"null\"}", world: named)
    let payloads = try await open(bench, controller).map(\.payload)
    #expect(payloads[0]["typedBody"] == nil)
    #expect(payloads[0]["contentWorld"] == ["name": "w"])
    #expect(payloads[1]["typedBody"] == .raw("{\"type\":\"null\"}"))
    #expect(payloads[1]["body"] == nil)
  }

  @Test func nobodyAnsweringRejectsWithTimeoutAfterItsTime() async throws {
    let (bench, _, page) = try await listening()
    let outcome = post(page)
    bench.clock.advance(by: .seconds(60))
    await outcome.signal.wait()
    #expect(outcome.code == .timeout)
    #expect(outcome.replies.count == 1)
  }

  @Test func theClaimersDisconnectRejectsWithCancelledAtOnce() async throws {
    let (bench, _, page) = try await listening()
    let notices = Mutex<[ClaimNotice]>([])
    let claimer = bench.callbacks.register(controllerID: nil) { notice in
      notices.withLock { $0.append(notice) }
    }
    bench.callbacks.claim([.scriptMessage], by: claimer)
    let outcome = post(page)
    #expect(notices.withLock { $0.count } == 2)
    bench.callbacks.unregister(claimer)
    #expect(outcome.code == .cancelled)
    #expect(bench.told.last?.details["reason"] == "disconnected")
  }

  @Test func aNewDocumentTheProcessesEndAndDisposalCancelReplies() async throws {
    let (bench, controller, page) = try await listening()
    let navigated = post(page)
    page.tell(.started(url: url), .committed(url: url), .finished(url: url))
    #expect(navigated.code == .cancelled)
    let crashed = post(page)
    page.tell(.processTerminated(.crashed))
    #expect(crashed.code == .cancelled)
    let disposed = post(page)
    try bench.controllers.dispose(controller.id)
    #expect(disposed.code == .cancelled)
    #expect(bench.toldTypes.last == .disposed)
  }

  @Test func removalAndReplacementCancelRepliesOfThatHandlerAlone() async throws {
    let (bench, controller, page) = try await listening()
    let named = MessageHandlerRegistration(name: "ask", contentWorld: .named("w"))
    #expect(try controller.addMessageHandler(named), "the same name in another world is another handler")
    let kept = post(page, world: .named("w"))
    let replaced = post(page)
    #expect(
      try controller.addMessageHandler(MessageHandlerRegistration(name: "ask", bodyMode: .typed)) == false)
    #expect(replaced.code == .cancelled)
    let removed = post(page)
    try controller.removeMessageHandler(name: "ask", contentWorld: .page)
    #expect(removed.code == .cancelled)
    #expect(kept.replies.isEmpty)
    #expect(try controller.messageHandlers() == [named])
    let error = #expect(throws: ServiceError.self) {
      try controller.removeMessageHandler(name: "ask", contentWorld: .page)
    }
    #expect(error?.details["kind"] == "messageHandler")
    #expect(post(page).code == .cancelled, "a late message of a removed handler")
    #expect(try await open(bench, controller).count == 1)
  }

  @Test(arguments: [
    "", "callMethodsWithReply", "__exec_js_callback_swift__", "a\u{0}b", "..",
    String(repeating: "x", count: 129),
  ])
  func badHandlerNamesAreRefused(name: String) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let error = #expect(throws: ServiceError.self) {
      try controller.addMessageHandler(MessageHandlerRegistration(name: name))
    }
    #expect(error?.code == .invalidArgument)
    #expect(page.commands.isEmpty)
  }

  @Test func aPageCannotHaveMoreOpenQuestionsThanItsLimit() async throws {
    var limits = Limits()
    limits.pendingCallbacks = 2
    let (bench, controller, page) = try await listening(limits)
    _ = post(page)
    _ = post(page)
    #expect(post(page).code == .unavailable)
    #expect(try await open(bench, controller).count == 2)
  }

  @Test func aLongPollAnswersWithTheQuestion() async throws {
    let (bench, controller, page) = try await listening()
    let poll = Task {
      try await bench.callbacks.callbacks(controllerID: controller.id, kinds: nil, since: 0, poll: 60)
    }
    for _ in 0..<20 { await Task.yield() }
    _ = post(page)
    #expect(try await poll.value.callbacks.count == 1)
    let empty = Task {
      try await bench.callbacks.callbacks(controllerID: controller.id, kinds: nil, since: 1, poll: 5)
    }
    for _ in 0..<20 { await Task.yield() }
    bench.clock.advance(by: .seconds(10))
    #expect(try await empty.value.callbacks.isEmpty)
  }

  @Test(
    arguments: [
      [
        "type": "map",
        "value": [[["type": "number", "value": 1], ["type": "null"]], ["k", ["type": "undefined"]]],
      ],
      [
        "type": "object",
        "value": [["k", ["type": "array", "value": [["type": "bigint", "value": "-12"]]]]],
      ],
      ["type": "regexp", "value": ["pattern": "a", "flags": "g"]],
      ["type": "date", "value": "2026-01-01T00:00:00.000Z"],
      ["type": "set", "value": []], ["type": "string", "value": .raw("\"\\ud800\"")],
      ["type": "number", "value": "-0"],
    ] as [JSONValue])
  func typedValuesPass(value: JSONValue) throws { try LocalValue.check(value, at: "") }

  @Test(
    arguments: [
      (1, ""), (["value": 1], ""), (["type": "number", "value": "1"], "/value"),
      (["type": "bigint", "value": "1.5"], "/value"),
      (["type": "object", "value": [[1, ["type": "null"]]]], "/value/0/0"),
      (["type": "array", "value": [["type": "null"], 2]], "/value/1"),
      (["type": "null", "value": 1], "/value"),
      (["type": "map", "value": [["a"]]], "/value/0"),
    ] as [(JSONValue, String)])
  func typedValuesThatDoNotFitAreNamed(value: JSONValue, pointer: String) {
    let error = #expect(throws: ServiceError.self) { try LocalValue.check(value, at: "") }
    #expect(error?.details["pointer"] == .string(pointer))
  }
}
