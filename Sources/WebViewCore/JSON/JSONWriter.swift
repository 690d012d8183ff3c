/// Compact JSON in UTF-8. Only what must be escaped is; `.raw` is written as it is.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  public static func write(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter(reserving: max(64, value.roughSize))
    writer.append(value)
    return writer.bytes
  }

  public static func text(_ value: JSONValue) -> String { String(decoding: write(value), as: UTF8.self) }

  public mutating func append(_ value: JSONValue) {
    switch value {
    case .null: appendLiteral("null")
    case .bool(let flag): appendLiteral(flag ? "true" : "false")
    case .number(let number): appendVerbatim(number.literal)
    case .string(let text): append(string: text)
    case .raw(let text): appendVerbatim(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        append(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): append(object)
    }
  }

  public mutating func append(_ object: JSONObject) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(string: member.name)
      bytes.append(UInt8(ascii: ":"))
      append(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func appendLiteral(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func appendVerbatim(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func append(string: String) {
    var string = string
    string.withUTF8 { buffer in
      bytes.append(UInt8(ascii: "\""))
      var start = 0
      while start < buffer.count {
        let end = JSONString.plainRun(buffer, from: start).end
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start..<end]))
        guard end < buffer.count else { break }
        appendEscaped(buffer[end])
        start = end + 1
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      let digits: StaticString = "0123456789abcdef"
      appendLiteral("u00")
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }
}

extension JSONValue {
  /// About how many bytes it takes when written; at least the text of its strings.
  public var roughSize: Int {
    switch self {
    case .null, .bool: 5
    case .number(let number): number.literal.utf8.count
    case .string(let text): text.utf8.count + 2
    case .raw(let text): text.utf8.count
    case .array(let elements): elements.reduce(2) { $0 + $1.roughSize + 1 }
    case .object(let object): object.roughSize
    }
  }
}

extension JSONObject {
  public var roughSize: Int { members.reduce(2) { $0 + $1.name.utf8.count + 4 + $1.value.roughSize } }
}
