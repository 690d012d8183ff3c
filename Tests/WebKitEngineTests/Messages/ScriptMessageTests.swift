import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct ScriptMessageTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  /// Posts a value and gives what the handler received, as `world:body`, and what the promise settled with.
  private func post(
    _ page: TestPage, _ value: String, handler: String = "h", world: ContentWorld = .page,
    reply: ScriptMessageReply = .undefined
  ) async -> (received: String?, settled: String) {
    var received: String?
    page.onMessage = { message, answer in
      received = "\(message.contentWorld):\(message.body ?? "undefined")"
      answer(reply)
    }
    let settled = await page.json(
      """
      try { const r = await webkit.messageHandlers.\(handler).postMessage(\(value));
        return r === undefined ? 'undefined' : r instanceof Map ? ['map', ...r.keys()] : Number.isNaN(r) ? 'nan' : [r]; }
      catch (e) { return 'rejected ' + (e instanceof Error) + ' ' + e.code + ' ' + e.message }
      """
    ) { $0.contentWorld = world }
    return (received, settled)
  }

  @Test func aHandlerIsVisibleAtOnceAndGoneAtOnce() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    #expect(await page.json("return typeof window.webkit") == "\"undefined\"")
    #expect(page.page.addMessageHandler(.init(name: "h")))
    #expect(!page.page.addMessageHandler(.init(name: "h")))
    #expect(
      await page.json(
        "return [typeof webkit.messageHandlers.h.postMessage, typeof webkit.messageHandlers.other]")
        == "[\"function\",\"undefined\"]")
    let first = await post(page, "{a: [1, null], u: undefined}", reply: .json(["ok": true]))
    #expect(first.received == "page:{\"a\":[1,null]}" && first.settled == "[{\"ok\":true}]")
    _ = await page.json("window.kept = webkit.messageHandlers.h")
    page.page.removeMessageHandler(name: "h", contentWorld: .page)
    #expect(await page.json("return typeof window.webkit?.messageHandlers.h") == "\"undefined\"")
    #expect(page.page.addMessageHandler(.init(name: "h")))
    #expect(await post(page, "1").received == "page:1")
    try await page.load(site.url("/b"))
    #expect(await post(page, "2").received == "page:2")
  }

  @Test func valuesThatTheEngineWouldWaitForRejectAtOnce() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    _ = page.page.addMessageHandler(.init(name: "h"))
    for (value, path) in [
      ("() => 1", ""), ("{f() {}}", "/f"), ("Symbol()", ""), ("document.body", ""), ("[window]", "/0"),
      ("{p: Promise.resolve()}", "/p"),
      ("NaN", ""), ("1n", ""), ("(() => { const a = []; a[0] = a; return a })()", "/0"),
    ] {
      let result = await post(page, value)
      #expect(result.received == nil, "\(value)")
      #expect(
        result.settled.hasPrefix(
          "\"rejected true serializationError serializationError: The value at \\\"\(path)\\\" is"),
        "\(value) \(result.settled)")
    }
    #expect(
      await post(page, "{get x() { throw new Error('own') }}").settled == "\"rejected true undefined own\"")
    #expect(await post(page, "undefined").received == "page:undefined")
    #expect(await post(page, "'a\\0\\ud800é:1'").received == "page:\"a\\u0000\\ud800é:1\"")
  }

  @Test func repliesArriveAsTheyWereGiven() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    _ = page.page.addMessageHandler(.init(name: "h"))
    #expect(await post(page, "1", reply: .undefined).settled == "\"undefined\"")
    #expect(await post(page, "1", reply: .json(nil)).settled == "[null]")
    #expect(await post(page, "1", reply: .json("x\u{0}é")).settled == "[\"x\\u0000é\"]")
    #expect(await post(page, "1", reply: .typed(["type": "number", "value": "NaN"])).settled == "\"nan\"")
    #expect(
      await post(page, "1", reply: .typed(["type": "map", "value": [["k", ["type": "null"]]]])).settled
        == "[\"map\",\"k\"]")
    let failure = ScriptMessageReply.failure(ServiceError(.javaScriptError, "no: really"))
    #expect(
      await post(page, "1", reply: failure).settled
        == "\"rejected true javaScriptError javaScriptError: no: really\"")
  }

  @Test func typedHandlersGetTypedBodies() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    _ = page.page.addMessageHandler(.init(name: "j"))
    _ = page.page.addMessageHandler(.init(name: "t", bodyMode: .typed))
    #expect(
      await post(page, "new Set([1n])", handler: "t").received
        == #"page:{"type":"set","value":[{"type":"bigint","value":"1"}]}"#)
    #expect(await post(page, "undefined", handler: "t").received == #"page:{"type":"undefined"}"#)
    #expect(await post(page, "() => 1", handler: "t").received == #"page:{"type":"function"}"#)
    #expect(await post(page, "{a: 1}", handler: "j").received == #"page:{"a":1}"#)
    #expect(await post(page, "new Set", handler: "j").received == nil)
  }

  @Test func worldsHaveTheirOwnHandlersOfOneName() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    for world in [ContentWorld.page, .defaultClient, .named("w")] {
      #expect(page.page.addMessageHandler(.init(name: "h", contentWorld: world)))
    }
    for _ in 0..<2 {
      for world in [ContentWorld.page, .defaultClient, .named("w")] {
        #expect(await post(page, "1", world: world).received == "\(world):1")
      }
      try await page.load(site.url("/b"))
    }
    page.page.removeMessageHandler(name: "h", contentWorld: .defaultClient)
    #expect(await post(page, "1", world: .named("w")).received == "named(\"w\"):1")
    #expect(
      await page.json("return typeof window.webkit?.messageHandlers.h") { $0.contentWorld = .defaultClient }
        == "\"undefined\"")
  }

  @Test func framesPostToo() async throws {
    let page = try EngineHarness.page()
    _ = page.page.addMessageHandler(.init(name: "h"))
    try await page.load(site.url("/a"))
    page.onMessage = { message, reply in reply(.json(.string("got " + (message.body ?? "")))) }
    let told = await page.json(
      """
      const f = document.createElement('iframe'); f.src = '/b'; document.body.append(f);
      await new Promise(r => f.onload = r);
      let failed; try { await f.contentWindow.eval('webkit.messageHandlers.h.postMessage(() => 1)') } catch (e) { failed = e.code }
      return [await f.contentWindow.eval('webkit.messageHandlers.h.postMessage({a: 1})'), failed]
      """)
    #expect(told == "[\"got {\\\"a\\\":1}\",\"serializationError\"]")
  }

  @Test func lateRepliesAreHarmless() async throws {
    let page = try EngineHarness.page()
    _ = page.page.addMessageHandler(.init(name: "h"))
    try await page.load(site.url("/a"))
    var replies: [@PageActor (ScriptMessageReply) -> Void] = []
    page.onMessage = { _, reply in replies.append(reply) }
    _ = await page.json("webkit.messageHandlers.h.postMessage(1); webkit.messageHandlers.h.postMessage(2)")
    await page.settle()
    #expect(replies.count == 2)
    try await page.load(site.url("/b"))
    replies.first?(.json(1))
    replies.first?(.json(2))
    page.page.close()
    replies.last?(.json(1))
    #expect(replies.count == 2)
  }
}
