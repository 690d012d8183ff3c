import Testing
import WebViewCore

@Suite struct JSONParserTests {
  @Test(
    "Valid texts are read and written back compactly",
    arguments: [
      ("null", "null"), (" [1 , 2\n] ", "[1,2]"), ("{}", "{}"), ("[]", "[]"), ("\"\"", "\"\""),
      (#"{"b":1,"a":{"c":[true,false,null]}}"#, #"{"b":1,"a":{"c":[true,false,null]}}"#),
      ("-0", "-0"), ("1e400", "1e400"), ("0.10", "0.10"), ("9007199254740993", "9007199254740993"),
      (#""\u0041\n\/\\\"""#, #""A\n/\\\"""#), (#""\ud83d\ude00""#, "\"😀\""),
      ("\"é\u{2028}\u{2029}\"", "\"é\u{2028}\u{2029}\""),
      (#""\u0000\u001f""#, #""\u0000\u001f""#), ("\"\u{7F}\"", "\"\u{7F}\""),
      (#""abcdefghijklmnopqrstuvwxyz\tabcdefghij""#, #""abcdefghijklmnopqrstuvwxyz\tabcdefghij""#),
    ])
  func roundTrip(text: String, expected: String) throws {
    #expect(try JSONWriter.text(JSONParser.parse(text)) == expected)
  }

  @Test(
    "Unpaired surrogates are kept as they were written",
    arguments: [#""\ud800""#, #""\udc00x""#, #""a\ud83d\ud83d\ude00""#, #""\ud800\n""#])
  func unpairedSurrogates(literal: String) throws {
    #expect(try JSONParser.parse(literal) == .raw(literal))
    #expect(try JSONWriter.text(JSONParser.parse("[\(literal)]")) == "[\(literal)]")
  }

  @Test("Replacing surrogates gives a string that Swift can hold")
  func replacement() {
    #expect(JSONString.replacingSurrogates(in: #""a\ud800b""#) == "a\u{FFFD}b")
    #expect(JSONString.replacingSurrogates(in: #""plain""#) == "plain")
    #expect(JSONString.replacingSurrogates(in: "12") == nil)
  }

  @Test(
    "Invalid texts are refused where they stop being right",
    arguments: [
      ("", 0, ""), ("  ", 2, ""), ("nul", 0, ""), ("tru e", 0, ""), ("{", 1, ""), ("[1,]", 3, "/1"),
      ("{\"a\":}", 5, "/a"), ("{\"a\" 1}", 5, "/a"), ("{a:1}", 1, ""), ("[1 2]", 3, ""), ("01", 1, ""),
      ("-", 1, ""), ("1.", 2, ""), ("1e", 2, ""), ("+1", 0, ""), (".5", 0, ""), ("NaN", 0, ""),
      ("'a'", 0, ""),
      ("\"a", 0, ""), ("\"\\x\"", 1, ""), ("\"\\u12g4\"", 5, ""), ("\"a\nb\"", 2, ""), ("1 2", 2, ""),
      ("{\"a\":1,\"a\":2}", 7, "/a"), ("{\"x\":{\"y/z\":[0,{\"q\":!}]}}", 20, "/x/y~1z/1/q"),
      ("\u{FEFF}1", 0, ""),
      ("{\"\\ud800\":1}", 1, ""),
    ])
  func refused(text: String, offset: Int, pointer: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
    #expect(error?.offset == offset)
    #expect(error?.pointer == pointer)
    #expect(error?.description.hasSuffix(".") == true)
  }

  @Test(
    "Bytes that are not UTF-8 are refused at their place",
    arguments: [
      ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22], 3), ([0x22, 0xF0, 0x9F, 0x98, 0x80, 0x80, 0x22], 5),
    ] as [([UInt8], Int)])
  func invalidUTF8(bytes: [UInt8], offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
    #expect(error?.offset == offset)
  }

  @Test("Depth is bounded, at the bound it is taken")
  func depth() throws {
    let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
    _ = try JSONParser.parse(deep(256))
    let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(deep(257)) }
    #expect(error?.offset == 256)
  }

  @Test("Names that only look alike are different members; large objects find duplicates too")
  func names() throws {
    let alike = try JSONParser.parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
    guard case .object(let object) = alike else {
      Issue.record("no object")
      return
    }
    #expect(object.count == 2)
    let many = (0..<100).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    _ = try JSONParser.parse("{\(many)}")
    let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse("{\(many),\"m37\":0}") }
    #expect(error?.pointer == "/m37")
  }

  @Test("Every truncation of a text is refused, none crashes")
  func truncations() throws {
    let text = #"{"a":[1.5e-3,"x\u00e9\ud83d\ude00",{"b":null,"c":true}],"d":"ümlaut","e":false}"#
    let bytes = Array(text.utf8)
    _ = try JSONParser.parse(bytes)
    for length in 0..<bytes.count {
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(bytes[..<length])) }
    }
  }

  @Test("Changed bytes are refused or read, and what is read survives a round trip")
  func mutations() throws {
    var generator = SystemRandomNumberGenerator()
    let text = Array(#"{"a":[1.5e-3,"x\u00e9\ud83d",{"b":null}],"d":"ümlaut","e":[[],{}]}"#.utf8)
    for _ in 0..<5_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      guard let value = try? JSONParser.parse(bytes) else { continue }
      let written = JSONWriter.write(value)
      #expect(try JSONParser.parse(written) == value)
    }
  }

  @Test(
    "Numbers know whether they are integers",
    arguments: [
      ("800.0", 800), ("8e2", 800), ("-0.0", 0), ("1.5", nil), ("1e400", nil),
      ("9223372036854775807", Int.max),
    ] as [(String, Int?)])
  func integers(literal: String, expected: Int?) {
    #expect(JSONNumber(literal: literal).integer == expected)
  }
}
