/// A strict parser of RFC 8259: UTF-8 only, no byte order mark, no duplicate names, bounded depth, nothing
/// after the value. Works on bytes; a string is made once, from a run of bytes that was found first.
public enum JSONParser {
  public static func parse(_ bytes: [UInt8], maximumDepth: Int = 256) throws(JSONSyntaxError) -> JSONValue {
    var result: Result<JSONValue, JSONSyntaxError> = .failure(
      JSONSyntaxError(offset: 0, reason: "there is no value"))
    bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, maximumDepth: maximumDepth)
      do throws(JSONSyntaxError) { result = .success(try reader.document()) } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  public static func parse(_ text: String, maximumDepth: Int = 256) throws(JSONSyntaxError) -> JSONValue {
    try parse(Array(text.utf8), maximumDepth: maximumDepth)
  }
}

private struct JSONReader: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let maximumDepth: Int
  private var position = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw failure("a byte order mark is not allowed")
    }
    skipSpace()
    guard position < bytes.count else { throw failure("there is no value") }
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw failure("nothing may follow the value") }
    return value
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    guard position < bytes.count else { throw failure("a value is missing at the end") }
    switch bytes[position] {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw failure("this is no value (object, array, string, number, true, false or null)")
    }
  }

  private mutating func word(_ text: StaticString) throws(JSONSyntaxError) {
    let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard position + expected.count <= bytes.count,
      UnsafeBufferPointer(rebasing: bytes[position..<position + expected.count]).elementsEqual(expected)
    else { throw failure("this is no value (object, array, string, number, true, false or null)") }
    position += expected.count
  }

  private mutating func enter() throws(JSONSyntaxError) {
    guard depth < maximumDepth else { throw failure("values nest deeper than \(maximumDepth)") }
    depth += 1
    position += 1
    skipSpace()
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONObject {
    try enter()
    defer { depth -= 1 }
    var members: [JSONObject.Member] = []
    var names = SeenNames()
    if take(UInt8(ascii: "}")) { return JSONObject() }
    while true {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw failure("a member name in quotation marks is expected")
      }
      let start = position
      guard case .string(let name) = try string() else {
        throw JSONSyntaxError(offset: start, reason: "a member name may not hold an unpaired surrogate")
      }
      guard names.insert(name, among: members) else {
        throw JSONSyntaxError(
          offset: start, pointer: JSONPointer.token(name), reason: "the member is given twice")
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon must follow a member name").inside(name) }
      skipSpace()
      do throws(JSONSyntaxError) {
        members.append(JSONObject.Member(name: name, value: try value()))
      } catch { throw error.inside(name) }
      skipSpace()
      if take(UInt8(ascii: ",")) {
        skipSpace()
        continue
      }
      guard take(UInt8(ascii: "}")) else { throw failure("a comma or the end of the object is expected") }
      return JSONObject(members: members)
    }
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      do throws(JSONSyntaxError) {
        elements.append(try value())
      } catch { throw error.inside(String(elements.count)) }
      skipSpace()
      if take(UInt8(ascii: ",")) {
        skipSpace()
        continue
      }
      guard take(UInt8(ascii: "]")) else { throw failure("a comma or the end of the array is expected") }
      return elements
    }
  }

  private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if position < bytes.count, isDigit(bytes[position]) { throw failure("a number may not begin with 0") }
    } else {
      try digits()
    }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return JSONNumber(
      literal: String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self))
  }

  private mutating func digits() throws(JSONSyntaxError) {
    guard position < bytes.count, isDigit(bytes[position]) else {
      throw failure("a digit is expected in the number")
    }
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
  }

  private mutating func string() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    position += 1
    let (end, isASCII) = try JSONString.scan(bytes, from: position)
    guard end < bytes.count else { throw JSONSyntaxError(offset: start, reason: "the string does not end") }
    if bytes[end] == UInt8(ascii: "\"") {
      let run = UnsafeBufferPointer(rebasing: bytes[position..<end])
      if isASCII {
        position = end + 1
        return .string(String(decoding: run, as: UTF8.self))
      }
      guard let text = String(validating: run, as: UTF8.self) else {
        throw invalidUTF8(from: position, to: end)
      }
      position = end + 1
      return .string(text)
    }
    let decoded = try JSONString.decode(bytes, from: position, firstEscape: end)
    let literal = UnsafeBufferPointer(rebasing: bytes[start..<decoded.end])
    if decoded.hasUnpairedSurrogate {
      guard let text = String(validating: literal, as: UTF8.self) else {
        throw invalidUTF8(from: start, to: decoded.end)
      }
      position = decoded.end
      return .raw(text)
    }
    guard let text = String(validating: decoded.bytes, as: UTF8.self) else {
      throw invalidUTF8(from: start, to: decoded.end)
    }
    position = decoded.end
    return .string(text)
  }

  /// The error path only: finds the first byte that is not UTF-8.
  private func invalidUTF8(from start: Int, to end: Int) -> JSONSyntaxError {
    var low = start
    while low < end {
      var length = 1
      while length < 5, low + length <= end,
        String(validating: UnsafeBufferPointer(rebasing: bytes[low..<low + length]), as: UTF8.self) == nil
      { length += 1 }
      if length == 5 || low + length > end { break }
      low += length
    }
    return JSONSyntaxError(offset: low, reason: "the bytes are not UTF-8")
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
  private func failure(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: position, reason: reason)
  }
}

/// Names compare by their bytes: Swift's String equality is canonical equivalence, JSON's is not.
private struct SeenNames {
  private static let linear = 12
  private var large: Set<[UInt8]> = []

  mutating func insert(_ name: String, among members: [JSONObject.Member]) -> Bool {
    if members.count < Self.linear {
      return !members.contains {
        $0.name.utf8.count == name.utf8.count && $0.name.utf8.elementsEqual(name.utf8)
      }
    }
    if large.isEmpty { for member in members { large.insert(Array(member.name.utf8)) } }
    return large.insert(Array(name.utf8)).inserted
  }
}
