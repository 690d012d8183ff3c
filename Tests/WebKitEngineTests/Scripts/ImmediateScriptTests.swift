import Testing
import WebViewCore

/// Code without `await` goes another, shorter way through the engine; nobody may see which.
@PageActor
@Suite(.serialized) struct ImmediateScriptTests {
  /// The word in a comment is enough for the long way.
  private static let longWay = "\n// await"

  @Test func bothWaysGiveTheSameResults() async throws {
    let page = try EngineHarness.page()
    for code in [
      "return 1 + 1", "", "return undefined", "return null", "return 'x\\0é\\ud800'", "return NaN",
      "return () => 1",
      "return {a: [1, {b: 2}]}", "const a = {}; a.a = a; return a", "throw new RangeError('no')", "throw 7",
      "throw {name: 3}", "null.x", "return missing", "return typeof arguments + arguments.length",
      "return this === globalThis", "return (() => { 'use strict'; return this === window })()",
      "var leaked = 1; return window.leaked", "return new.target", "return document.title",
      "return Promise.resolve({a: 1})", "return Promise.reject(new TypeError('late'))",
      "return Promise.reject()",
      "return new Promise(f => setTimeout(f, 5, 'later'))", "return {then(f) { f(3) }}",
      "return {then(f, g) { g('refused') }}", "return {then: 1}",
      "return {get then() { throw new Error('then') }}",
      "return Object.assign(() => 1, {then: f => f('callable')})", "return [Promise.resolve(1)]",
      "return (async () => 5)()", "return 1 //", "return `a${1}b`", "/* } */ return 2", "return '}) evil('",
      "yield: 3",
      "function f() { throw new Error('x') }\n[1].forEach(f)", "f()\nfunction f() { null.x }",
      "return new Error('x').stack.split('\\n')[0]",
      "const a = []; queueMicrotask(() => a.push(1)); return a",
      "const a = []; Promise.resolve().then(() => a.push(1)); return {a}",
      "const a = []; new MutationObserver(() => a.push(1)).observe(document, {childList: true, subtree: true}); "
        + "document.body.append('x'); return a",
      "let n = 0; return {get then() { return n++ ? undefined : f => f('once') }}",
      "let a = [1]; return {then(f) { f(a); a.push(2) }}",
      "return new Proxy({}, {getPrototypeOf() { throw 1 }})",
      "throw new Proxy({}, {getPrototypeOf() { throw 1 }})", "return new Proxy([1], {})",
      "return document.all",
      "const {proxy, revoke} = Proxy.revocable({}, {}); revoke(); throw proxy",
      "return {get a() { throw new Error('a') }}",
    ] {
      let short = await page.evaluate(code)
      let long = await page.evaluate(code + Self.longWay)
      #expect(Self.told(short) == Self.told(long), "\(code)")
    }
  }

  private static func told(_ result: Result<JavaScriptResult, EvaluationFailure>) -> String {
    guard case .failure(.exception(let exception)) = result else { return "\(result)" }
    return
      "\(exception.name): \(exception.message) \(exception.line ?? 0) \(exception.sourceURL ?? "") \(exception.stack ?? "")"
  }

  @Test func modulesAreFoundFromTheDocument() async throws {
    let page = try EngineHarness.page()
    let site = try FixtureSite.shared.get()
    let module = "\"\(site.url("/modules/m.js"))\""
    try await page.load(site.url("/modules/a"))
    for specifier in ["./m.js", "/modules/m.js", site.url("/modules/m.js")] {
      for code in [
        "return import('\(specifier)').then(m => m.x)", "return (await import('\(specifier)')).x",
        "const f = () => import('\(specifier)'); return f().then(m => m.x)",
      ] {
        #expect(await page.json(code) == module, "\(code)")
      }
    }
    try await page.load(site.url("/a"))
    _ = await page.json("document.head.innerHTML = '<base href=/modules/>'")
    #expect(await page.json("return import('./m.js').then(m => m.x)") == module)
    #expect(await page.json("return import('./missing').catch(e => e.name)") == "\"TypeError\"")
  }

  @Test func argumentsOfEverySizeArrive() async throws {
    let page = try EngineHarness.page()
    for count in [0, 1, 100, 40_000] {
      let text = String(repeating: "\"\\\u{2028}é\u{0}</script>`${x}'", count: count)
      let answer = await page.json("return [t, n]") {
        $0.arguments = [.init(name: "t", value: .string(text)), .init(name: "n", value: JSONValue(count))]
      }
      #expect(answer == JSONWriter.text([.string(text), JSONValue(count)]), "\(count)")
    }
    let typed = await page.json("return d.getTime()") {
      $0.arguments = [.init(name: "d", value: ["type": "date", "value": "1970-01-01T00:00:01.000Z"])]
      $0.hasTypedArguments = true
    }
    #expect(typed == "1000")
  }

  @Test func codeIsLookedAtByItself() async throws {
    let page = try EngineHarness.page()
    for code in [
      "return 1 }", "}, 'j'); window.evil = 1; (function () {", "}/*", "return 1 /*", "await = 1", "var 1",
      "if (", "{ return",
    ] {
      for suffix in ["", Self.longWay] {
        #expect(await page.json(code + suffix).hasPrefix("SyntaxError"), "\(code + suffix)")
      }
    }
    // Letters that look the same are not the same code: U+037E looks like a semicolon.
    #expect(await page.json("return 1;") == "1")
    #expect(await page.json("return 1\u{37E}").hasPrefix("SyntaxError"))
    guard case .failure(.exception(let exception)) = await page.evaluate("let a;\nlet b;\nlet a;") else {
      Issue.record("a name was declared twice")
      return
    }
    #expect(exception.line == 3)
  }

  @Test func callsStayInOrder() async throws {
    let page = try EngineHarness.page()
    try await page.load(FixtureSite.shared.get().url("/a"))
    let long = "/* \(String(repeating: "x", count: 40_000)) */"
    for round in 0..<5 {
      var calls: [TestPage.Call] = []
      for index in 0..<12 {
        let code = "\(index % 4 == 1 ? long : "") (globalThis.order ??= []).push(\(index)); return order"
        calls.append(page.begin(code) { $0.contentWorld = .named("order\(round)") })
      }
      var last: Result<JavaScriptResult, EvaluationFailure>?
      for call in calls { last = await page.result(of: call) }
      #expect(try last?.get() == .json("[0,1,2,3,4,5,6,7,8,9,10,11]"))
    }
  }

  /// In the page's own process, which a deadline ends; the server goes on.
  @Test func codeThatNoParserGetsDoneWithHangsItsPageAlone() async throws {
    let page = try EngineHarness.page()
    let other = try EngineHarness.page()
    await page.settle()
    let count = 40
    let code =
      "(()=>" + String(repeating: "((a=", count: count) + "1" + String(repeating: ")=>1)", count: count) + ")"
    let hung = page.begin("") { $0.code = .expression(code) }
    #expect(await other.json("return 1") == "1")
    #expect(hung.result == nil)
    page.page.terminateWebProcess()
    #expect(await page.result(of: hung) == .failure(.processTerminated))
  }

  @Test func aPageCannotTakeTheRuntimesPlace() async throws {
    let page = try EngineHarness.page()
    let key =
      "Object.getOwnPropertyNames(window).find(n => n.length > 12 && /^w[A-Za-z0-9]+$/.test(n) && typeof window[n] === 'object' && window[n].run)"
    try await page.after {
      $0.load(
        .html(
          """
          <script>
          const key = \(key), forged = {now() { return 'j{{{' }, run() { return 'j{{{' }, take() { return 'p1' }};
          Object.defineProperty(window, 'globalThis', {get() { return {[key]: forged} }, configurable: true});
          for (const attempt of [() => window[key] = forged, () => delete window[key], () => eval('var ' + key + ' = 1'),
            () => Object.defineProperty(window, key, {value: forged}), () => window[key].now = forged.now]) {
            try { attempt() } catch {}
          }
          document.head.append(Object.assign(document.createElement('script'), {text: 'let ' + key + ' = {}'}));
          window.found = key;
          </script>
          """, baseURL: nil))
    }
    #expect(await page.json("return typeof found") == "\"string\"", "the page knows the name")
    for code in ["return 1 + 1", "return await 2", "return Promise.resolve(2)", "return [2][0]"] {
      #expect(await page.json(code) == "2", "\(code)")
    }
  }

  @Test func elementsHideNoPartOfTheDocument() async throws {
    let page = try EngineHarness.page()
    let html =
      "<!DOCTYPE html><title>real</title><img name=documentElement><img name=doctype><form name=title></form>"
    try await page.after { $0.load(.html(html, baseURL: nil)) }
    #expect(page.story.contains("D") && page.page.title == "real")
    let markup = try await withCheckedContinuation { done in page.page.html { done.resume(returning: $0) } }
      .get()
    #expect(markup?.hasPrefix("<!DOCTYPE html><html><head><title>real</title></head><body><img") == true)
  }

  @Test func handlersAndWorldsThatLookTheSameAreTwo() async throws {
    let page = try EngineHarness.page()
    let names = ["h\u{e9}", "he\u{301}"]
    for name in names {
      #expect(page.page.addMessageHandler(MessageHandlerRegistration(name: name, contentWorld: .page)))
      _ = await page.json("globalThis.mine = n") {
        $0.contentWorld = .named(name)
        $0.arguments = [.init(name: "n", value: .string(name))]
      }
    }
    var told: [String] = []
    page.onMessage = { message, reply in
      told.append(message.handlerName)
      reply(.undefined)
    }
    for name in names {
      _ = await page.json("await webkit.messageHandlers[n].postMessage(1); return 1") {
        $0.arguments = [.init(name: "n", value: .string(name))]
      }
      let mine = await page.json("return [...mine].length + mine.length") { $0.contentWorld = .named(name) }
      #expect(mine == "\(name.unicodeScalars.count * 2)")
    }
    #expect(told.map(\.unicodeScalars.count) == names.map(\.unicodeScalars.count))
  }

  @Test func worldsWithoutTheRuntimeGetIt() async throws {
    let page = try EngineHarness.page()
    try await page.after { $0.load(.html("<title>t</title>", baseURL: nil)) }
    for (index, code) in ["return document.title", "return Promise.resolve(document.title)"].enumerated() {
      #expect(await page.json(code) { $0.contentWorld = .named("new\(index)") } == "\"t\"")
    }
  }

  @Test func codeHasUserActivation() async throws {
    let page = try EngineHarness.page()
    #expect(await page.json("return navigator.userActivation.isActive") == "true")
    #expect(await page.json("return navigator.userActivation.isActive" + Self.longWay) == "true")
  }

  @Test func aPromiseOutlivesTheCollector() async throws {
    let page = try EngineHarness.page()
    let call = page.begin("return new Promise(f => window.settle = f)")
    let other = page.begin("return new Promise(f => { setTimeout(f, 50, 'other') })")
    _ = await page.json("for (let i = 0; i < 200; i++) new Array(1e5).fill(i); return 1")
    #expect(try await page.result(of: other).get() == .json("\"other\""))
    _ = await page.json("settle(4)")
    #expect(try await page.result(of: call).get() == .json("4"))
  }

  /// Its name must mean nothing there.
  @Test func aPromiseIsNotTakenFromTheNextDocument() async throws {
    let page = try EngineHarness.page()
    try await page.after { $0.load(.html("one", baseURL: nil)) }
    let old = page.begin("location.href = 'about:blank?next'; return new Promise(() => {})")
    try await page.wait { $0.contains { if case .finished("about:blank?next") = $0 { true } else { false } } }
    // The first promise of this document has the number that the old one's had in its own.
    #expect(await page.json("return new Promise(f => setTimeout(f, 20, 'mine'))") == "\"mine\"")
    if let told = old.result { #expect(throws: EvaluationFailure.self) { try told.get() } }
  }
}
