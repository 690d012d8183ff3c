import Testing
import WebViewTesting

@testable import WebViewCore

@Suite struct JSONScannerTests {
  @Test func itTakesWhatTheParserTakes() {
    for text in [
      "1", "-0", "0.5e+10", "\"a\\u00e9\\n\\ud800\"", "true", "false", "null", "[]", "{}",
      " [ 1 , [ ] , { } ] ",
      "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"\"}",
      String(repeating: "[", count: 5_000)
        + String(repeating: "]", count: 5_000),
    ] {
      #expect(JSONScanner.isValue(text), "\(text.prefix(60))")
    }
    for text in [
      "", " ", "{", "[", "]", "{{{", "]", "1,\"error\":{}", "1}", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}",
      "{a:1}",
      "{\"a\":1,}", "[1}", "{\"a\":1]", "01", "1.", ".5", "1e", "-", "+1", "tru", "nulll", "\"", "\"\\",
      "\"\\x\"",
      "\"\\u12\"", "\"\u{1}\"", "1 2", "[1 2]", "'a'", "NaN", "undefined", "[]]", "{}{}",
    ] {
      #expect(!JSONScanner.isValue(text), "\(text)")
    }
  }

  /// Texts near valid ones: both must say the same, but for names given twice, which only the parser refuses.
  @Test(arguments: 0..<50) func itAgreesWithTheParser(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"\\u0041\"", "1", "-2.5e3", "true", "null", " ", "\\", "\"",
      "0",
    ]
    for _ in 0..<400 {
      let text = (0..<Int.random(in: 1..<9, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let isParsed: Bool
      do throws(JSONSyntaxError) {
        _ = try JSONParser.parse(text)
        isParsed = true
      } catch { isParsed = error.reason == "the member is given twice" ? JSONScanner.isValue(text) : false }
      #expect(JSONScanner.isValue(text) == isParsed, "\(text)")
    }
  }
}
