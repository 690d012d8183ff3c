/// The inside of string literals.
public enum JSONString {
  struct Decoded {
    var bytes: [UInt8]
    /// After the closing quotation mark.
    var end: Int
    var hasUnpairedSurrogate: Bool
  }

  /// Where the run of bytes that stand for themselves ends: at a quotation mark, a backslash, a control character
  /// or the end. And whether all of it is ASCII, which needs no validation.
  static func plainRun(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (end: Int, isASCII: Bool) {
    var index = start
    var all: UInt64 = 0
    // Eight bytes at a time: a byte is special when below 0x20, or equal to `"` or `\`.
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while index + 8 <= bytes.count {
      let word = UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let slash = word ^ (ones &* 0x5C)
      let special =
        ((word &- (ones &* 0x20)) & ~word) | ((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)
      if special & highs != 0 { break }
      all |= word
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      all |= UInt64(byte)
      index += 1
    }
    return (index, all & highs == 0)
  }

  /// The same inside of a literal, where a control character is a fault.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(JSONSyntaxError) -> (end: Int, isASCII: Bool) {
    let run = plainRun(bytes, from: start)
    guard run.end == bytes.count || bytes[run.end] >= 0x20 else {
      throw JSONSyntaxError(offset: run.end, reason: "a control character in a string must be escaped")
    }
    return run
  }

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, firstEscape: Int
  ) throws(JSONSyntaxError) -> Decoded {
    var result = Decoded(bytes: [], end: firstEscape, hasUnpairedSurrogate: false)
    result.bytes.reserveCapacity((firstEscape - start) * 2 + 32)
    var runStart = start
    var index = firstEscape
    while true {
      result.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[runStart..<index]))
      guard index < bytes.count else {
        throw JSONSyntaxError(offset: start - 1, reason: "the string does not end")
      }
      if bytes[index] == UInt8(ascii: "\"") {
        result.end = index + 1
        return result
      }
      guard index + 1 < bytes.count else {
        throw JSONSyntaxError(offset: start - 1, reason: "the string does not end")
      }
      let escape = bytes[index + 1]
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.bytes.append(escape)
      case UInt8(ascii: "b"): result.bytes.append(0x08)
      case UInt8(ascii: "f"): result.bytes.append(0x0C)
      case UInt8(ascii: "n"): result.bytes.append(0x0A)
      case UInt8(ascii: "r"): result.bytes.append(0x0D)
      case UInt8(ascii: "t"): result.bytes.append(0x09)
      case UInt8(ascii: "u"):
        var unit = UInt32(try hexadecimal(bytes, at: index + 2))
        index += 4
        if unit & 0xFC00 == 0xD800, index + 3 < bytes.count, bytes[index + 2] == UInt8(ascii: "\\"),
          bytes[index + 3] == UInt8(ascii: "u"),
          case let low = UInt32(try hexadecimal(bytes, at: index + 4)), low & 0xFC00 == 0xDC00
        {
          unit = 0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF)
          index += 6
        }
        if let scalar = Unicode.Scalar(unit) {
          result.bytes.append(contentsOf: UTF8.encode(scalar)!)
        } else {
          result.hasUnpairedSurrogate = true
          result.bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        }
      default:
        throw JSONSyntaxError(
          offset: index, reason: "a backslash must be followed by one of \" \\ / b f n r t u")
      }
      index += 2
      runStart = index
      index = try scan(bytes, from: index).end
    }
  }

  private static func hexadecimal(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) throws(JSONSyntaxError) -> UInt16 {
    guard start + 4 <= bytes.count else {
      throw JSONSyntaxError(offset: start, reason: "\\u needs four hexadecimal digits")
    }
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      let digit: UInt8
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
      default: throw JSONSyntaxError(offset: index, reason: "\\u needs four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// The text of a string literal, unpaired surrogates replaced by U+FFFD; nil when it is no string.
  public static func replacingSurrogates(in literal: String) -> String? {
    let bytes = Array(literal.utf8)
    guard bytes.first == UInt8(ascii: "\"") else { return nil }
    return bytes.withUnsafeBufferPointer { buffer in
      guard let end = try? scan(buffer, from: 1).end,
        let decoded = try? decode(buffer, from: 1, firstEscape: end), decoded.end == buffer.count
      else { return nil }
      return String(decoding: decoded.bytes, as: UTF8.self)
    }
  }
}
