import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct JSONResultTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  @Test func jsonHoldsWhatJSONHolds() async throws {
    let page = try EngineHarness.page()
    for (code, expected) in [
      ("1 + 1", "2"), ("-0", "0"), ("1e21", "1e+21"), ("0.1", "0.1"), ("'é\\u2028'", "\"é\u{2028}\""),
      ("null", "null"),
      ("true", "true"), ("undefined", "undefined"), ("[]", "[]"), ("({})", "{}"),
      ("[1,[2,{a:3}]]", "[1,[2,{\"a\":3}]]"),
      ("({b:1,a:undefined,c:null})", "{\"b\":1,\"c\":null}"), ("new Date(0)", "\"1970-01-01T00:00:00.000Z\""),
      ("({toJSON() { return {x: 1} }})", "{\"x\":1}"), ("new URL('http://x/')", "\"http://x/\""),
      ("new Number(3)", "3"), ("new String('s')", "\"s\""), ("new Boolean(false)", "false"),
      ("new (class A { constructor() { this.x = 1 } })", "{\"x\":1}"), ("'a\\0b'", "\"a\\u0000b\""),
      ("'\\ud800'", "\"\\ud800\""), ("({'\\ud800': 1})", "{\"\\ud800\":1}"), ("Promise.resolve(5)", "5"),
      ("({__proto__: null, a: 2})", "{\"a\":2}"), ("JSON.parse('{\"__proto__\":1}')", "{\"__proto__\":1}"),
      ("Object.create({inherited: 1})", "{}"), ("(x => ({a: x, b: x}))({})", "{\"a\":{},\"b\":{}}"),
    ] {
      #expect(await page.json("return \(code)") == expected, "\(code)")
    }
  }

  @Test func whatJSONCannotHoldIsRefusedWithItsPlace() async throws {
    let page = try EngineHarness.page()
    for (code, path, reason) in [
      ("NaN", "", "NaN"), ("[1, Infinity]", "/1", "Infinity"), ("({a: {b: -Infinity}})", "/a/b", "-Infinity"),
      ("10n", "", "a BigInt"),
      ("() => 1", "", "a function"), ("({f() {}})", "/f", "a function"), ("Symbol()", "", "a symbol"),
      ("document", "", "of type HTMLDocument"), ("[document.body]", "/0", "of type HTMLBodyElement"),
      ("window", "", "of type Window"),
      ("new Map", "", "of type Map"), ("({s: new Set})", "/s", "of type Set"), ("/x/", "", "of type RegExp"),
      ("new Error('x')", "", "of type Error"),
      ("new Uint8Array(2)", "", "of type Uint8Array"), ("[undefined]", "/0", "undefined in an array"),
      ("[,1]", "/0", "undefined in an array"),
      ("(() => { const a = {}; a.a = {b: [a]}; return a })()", "/a/b/0", "a cycle"),
      ("({'x/y~z': NaN})", "/x~1y~0z", "NaN"),
      ("[Promise.resolve(1)]", "/0", "of type Promise"), ("new ArrayBuffer(1)", "", "of type ArrayBuffer"),
    ] {
      guard case .failure(.notSerializable(let at, let why)) = await page.evaluate("return \(code)") else {
        Issue.record("\(code) was not refused")
        continue
      }
      #expect(at == path && why == reason, "\(code): \(at) \(why)")
    }
    let deep = await page.json("let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a")
    #expect(deep.contains("nested deeper"))
  }

  @Test func argumentsArriveAsTheyWereGiven() async throws {
    let page = try EngineHarness.page()
    let text = await page.json("return [a, b.c, typeof d, ü$1, this === window]") {
      $0.arguments = [
        .init(name: "a", value: "x\"\\\n\u{0}é😀"), .init(name: "b", value: ["c": [1, nil, true]]),
        .init(name: "d", value: 1.5),
        .init(name: "ü$1", value: .raw("\"\\ud800\"")),
      ]
    }
    #expect(text == "[\"x\\\"\\\\\\n\\u0000é😀\",[1,null,true],\"number\",\"\\ud800\",true]")
    #expect(
      await page.json("return 1") { $0.arguments = [.init(name: "a b", value: 1)] }.hasPrefix("SyntaxError"))
    #expect(
      await page.json("return 1") { $0.arguments = [.init(name: "a=alert()", value: 1)] }.hasPrefix(
        "SyntaxError"))
    #expect(
      await page.json("return 1") { $0.arguments = [.init(name: "class", value: 1)] }.hasPrefix("SyntaxError")
    )
  }

  @Test func expressionsAreAwaitedAndAlone() async throws {
    let page = try EngineHarness.page()
    func expression(_ code: String) async -> String { await page.json("") { $0.code = .expression(code) } }
    #expect(await expression("1 + 1") == "2")
    #expect(await expression("Promise.resolve({a: 1})") == "{\"a\":1}")
    #expect(await expression("{a: 1}") == "{\"a\":1}")
    #expect(await expression("await 3 // comment") == "3")
    #expect(await expression("1, 2") == "2")
    for wrong in ["", "1; 2", "1), (2", "1] + [2", "return 1", "1) /*", "...[1]"] {
      #expect(await expression(wrong).hasPrefix("SyntaxError"), "\(wrong)")
    }
  }

  @Test func codeCannotLeaveItsFunction() async throws {
    let page = try EngineHarness.page()
    for code in [
      "return 1; }, function () {", "}; window.evil = 1; async function x(){",
      "})(); window.evil = 1; (function(){",
      "return 1\n}\nfoo(\n)(\n", "} + function(){", "} async function b() {", "/*", "`${",
      "}, \"j\", 1, undefined, false); window.evil = 1; (async function(){",
    ] {
      guard case .failure(.exception(let exception)) = await page.evaluate(code) else {
        Issue.record("accepted: \(code)")
        continue
      }
      #expect(exception.name == "SyntaxError")
    }
    #expect(await page.json("return typeof window.evil") == "\"undefined\"")
    #expect(await page.json("// only a comment") == "undefined")
  }

  @Test func errorsTellNamePlaceAndText() async throws {
    let page = try EngineHarness.page()
    func thrown(_ code: String) async throws -> JavaScriptException {
      guard case .failure(.exception(let exception)) = await page.evaluate(code) else {
        throw TestPage.Timeout(description: "did not throw: \(code)")
      }
      return exception
    }
    let first = try await thrown("throw new TypeError('bad')")
    #expect(first.name == "TypeError" && first.message == "bad" && first.line == 1)
    #expect(first.column == 20)
    let third = try await thrown("\n\n  null.x")
    #expect(third.name == "TypeError" && third.line == 3)
    let syntax = try await thrown("\nlet a = 1;\n  foo bar")
    #expect(syntax.name == "SyntaxError" && syntax.line == 3)
    #expect(try await thrown("throw 'text'").message == "text")
    #expect(try await thrown("throw null").message == "null")
    #expect(try await thrown("throw Symbol('s')").message == "Symbol(s)")
    #expect(try await thrown("throw {name: 'N', message: 'M'}").name == "N")
    #expect(try await thrown("await Promise.reject(new RangeError('r'))").name == "RangeError")
    #expect(try await thrown("return {get x() { throw new Error('getter') }}").message == "getter")
    #expect(try await thrown("document.querySelector('[')").name == "SyntaxError")
    #expect(try await thrown("throw new Error('\\ud800')").message == "\u{FFFD}")
  }

  @Test func pagesCannotSpoofOrBreakResults() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/hostile"))
    #expect(await page.json("return {a: [1, 'x', {b: null}]}") == "{\"a\":[1,\"x\",{\"b\":null}]}")
    #expect(await page.json("return 'real'") == "\"real\"")
    #expect(await page.json("return 41 + n") { $0.arguments = [.init(name: "n", value: 1)] } == "42")
    #expect(await page.json("return [7]") { $0.contentWorld = .defaultClient } == "[7]")
    #expect(await page.json("return {a: [1]}") { $0.contentWorld = .named("x") } == "{\"a\":[1]}")
    try await page.load(site.url("/csp"))
    #expect(
      await page.json("return [document.title, n]") { $0.arguments = [.init(name: "n", value: 1)] }
        == "[\"csp\",1]")
  }

  @Test func worldsAreSeparateAndNamesDoNotReachTheEngines() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    for (index, world) in [ContentWorld.page, .defaultClient, .named("default-client"), .named("internal")]
      .enumerated()
    {
      #expect(await page.json("return typeof globalThis.mark") { $0.contentWorld = world } == "\"undefined\"")
      _ = await page.json("globalThis.mark = \(index)") { $0.contentWorld = world }
      #expect(await page.json("return globalThis.mark") { $0.contentWorld = world } == "\(index)")
    }
  }

  @Test func largeResultsPassAndTooLargeOnesAreRefusedInThePage() async throws {
    let page = try EngineHarness.page()
    guard case .success(.json(let text)) = await page.evaluate("return 'x'.repeat(5000000)") else {
      Issue.record("no result")
      return
    }
    #expect(text.utf8.count == 5_000_002)
    for code in ["return 'x'.repeat(70000000)", "return 'é'.repeat(40000000)"] {
      guard case .failure(.tooLarge(let size, let limit)) = await page.evaluate(code) else {
        Issue.record("not refused: \(code)")
        continue
      }
      #expect(size > limit && limit == 64 << 20)
    }
    #expect(await page.json("return 1") { $0.resultMode = .discard } == "discarded")
    let long = "/* \(String(repeating: "x", count: 300_000)) */ return 7"
    #expect(await page.json(long) == "7")
  }
}
