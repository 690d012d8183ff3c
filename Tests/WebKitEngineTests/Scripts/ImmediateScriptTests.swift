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
