import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct TypedResultTests {
  private func typed(_ page: TestPage, _ code: String) async -> String {
    await page.json("return \(code)") { $0.resultMode = .typed }
  }

  @Test func everyTypeHasItsRemoteValue() async throws {
    let page = try EngineHarness.page()
    _ = try await page.after { $0.load(.html("<p id=p class=c>t<b></b></p>", baseURL: nil)) }
    for (code, expected) in [
      ("undefined", #"{"type":"undefined"}"#), ("null", #"{"type":"null"}"#),
      ("'a\\0'", #"{"type":"string","value":"a\u0000"}"#),
      ("1.5", #"{"type":"number","value":1.5}"#), ("NaN", #"{"type":"number","value":"NaN"}"#),
      ("-0", #"{"type":"number","value":"-0"}"#),
      ("Infinity", #"{"type":"number","value":"Infinity"}"#),
      ("-Infinity", #"{"type":"number","value":"-Infinity"}"#),
      ("true", #"{"type":"boolean","value":true}"#),
      ("12345678901234567890n", #"{"type":"bigint","value":"12345678901234567890"}"#),
      ("Symbol()", #"{"type":"symbol"}"#), ("() => 1", #"{"type":"function"}"#),
      (
        "[1,,'x']",
        #"{"type":"array","value":[{"type":"number","value":1},{"type":"undefined"},{"type":"string","value":"x"}]}"#
      ),
      ("({a: undefined})", #"{"type":"object","value":[["a",{"type":"undefined"}]]}"#),
      (
        "new Map([['k',1],[2,3]])",
        #"{"type":"map","value":[["k",{"type":"number","value":1}],[{"type":"number","value":2},{"type":"number","value":3}]]}"#
      ),
      ("new Set([1])", #"{"type":"set","value":[{"type":"number","value":1}]}"#),
      ("new Date(0)", #"{"type":"date","value":"1970-01-01T00:00:00.000Z"}"#),
      ("/a\\/b/gi", #"{"type":"regexp","value":{"pattern":"a\\/b","flags":"gi"}}"#),
      ("new Uint8Array([1,2,255])", #"{"type":"typedarray","arrayType":"Uint8Array","valueBase64":"AQL/"}"#),
      (
        "new Uint16Array([1]).subarray(0, 1)",
        #"{"type":"typedarray","arrayType":"Uint16Array","valueBase64":"AQA="}"#
      ),
      (
        "new DataView(new ArrayBuffer(1))",
        #"{"type":"typedarray","arrayType":"DataView","valueBase64":"AA=="}"#
      ),
      ("new ArrayBuffer(2)", #"{"type":"arraybuffer","valueBase64":"AAA="}"#),
      ("new WeakMap", #"{"type":"weakmap"}"#),
      ("new WeakSet", #"{"type":"weakset"}"#),
      ("[Promise.resolve()]", #"{"type":"array","value":[{"type":"promise"}]}"#),
      ("(function*(){})()", #"{"type":"generator"}"#), ("window", #"{"type":"window","value":{}}"#),
      (
        "document.getElementById('p')",
        #"{"type":"node","value":{"nodeType":1,"childNodeCount":2,"localName":"p","namespaceURI":"http://www.w3.org/1999/xhtml","attributes":{"id":"p","class":"c"}}}"#
      ),
      (
        "document.getElementById('p').firstChild",
        #"{"type":"node","value":{"nodeType":3,"childNodeCount":0,"nodeValue":"t"}}"#
      ),
      ("document.querySelectorAll('x')", #"{"type":"nodelist","value":[]}"#),
      ("document.forms", #"{"type":"htmlcollection","value":[]}"#),
      (
        "(() => { const a = {}; a.self = a; return a })()",
        #"{"type":"object","internalId":"1","value":[["self",{"type":"object","internalId":"1"}]]}"#
      ),
      (
        "(x => [x, x])({})",
        #"{"type":"array","value":[{"type":"object","internalId":"1","value":[]},{"type":"object","internalId":"1"}]}"#
      ),
    ] {
      #expect(await typed(page, code) == expected, "\(code)")
    }
    let error = await typed(page, "new TypeError('t')")
    #expect(error.hasPrefix(#"{"type":"error","value":{"name":"TypeError","message":"t","stack":"#))
    #expect(await typed(page, "new Date(NaN)") == #"{"type":"date","value":"Invalid Date"}"#)
  }

  @Test func typedArgumentsBecomeTheirValues() async throws {
    let page = try EngineHarness.page()
    func check(_ value: JSONValue, _ test: String) async {
      let text = await page.json("return \(test)") {
        $0.arguments = [.init(name: "v", value: value)]
        $0.hasTypedArguments = true
      }
      #expect(text == "true", "\(test): \(text)")
    }
    await check(["type": "undefined"], "v === undefined")
    await check(["type": "null"], "v === null")
    await check(["type": "number", "value": "-0"], "Object.is(v, -0)")
    await check(["type": "number", "value": "NaN"], "v !== v")
    await check(["type": "number", "value": 3], "v === 3")
    await check(["type": "bigint", "value": "10"], "v === 10n")
    await check(["type": "string", "value": "s"], "v === 's'")
    await check(["type": "boolean", "value": true], "v === true")
    await check(["type": "date", "value": "1970-01-01T00:00:00Z"], "v instanceof Date && +v === 0")
    await check(
      ["type": "regexp", "value": ["pattern": "a", "flags": "g"]], "v instanceof RegExp && v.flags === 'g'")
    await check(["type": "array", "value": [["type": "undefined"]]], "v.length === 1 && v[0] === undefined")
    await check(["type": "object", "value": [["k", ["type": "null"]]]], "v.k === null")
    await check(
      ["type": "map", "value": [[["type": "number", "value": 1], ["type": "string", "value": "x"]]]],
      "v.get(1) === 'x'")
    await check(["type": "set", "value": [["type": "number", "value": 1]]], "v.has(1)")
    await check(["type": "arraybuffer", "valueBase64": "AQL/"], "new Uint8Array(v).join() === '1,2,255'")
    await check(
      ["type": "typedarray", "arrayType": "Uint16Array", "valueBase64": "AQA="],
      "v instanceof Uint16Array && v[0] === 1")
    for wrong: JSONValue in [
      ["type": "nonsense"], 1, ["type": "number", "value": "x"], ["type": "array", "value": 1],
      ["type": "bigint", "value": "x"],
    ] {
      guard
        case .failure(.exception) = await page.evaluate(
          "return 1",
          {
            $0.arguments = [.init(name: "v", value: wrong)]
            $0.hasTypedArguments = true
          })
      else {
        Issue.record("accepted \(wrong)")
        continue
      }
    }
  }
}
