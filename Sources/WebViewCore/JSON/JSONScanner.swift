/// Whether a text is one JSON value, without making it: what a page's process says is JSON goes out as it is only
/// then.
public enum JSONScanner {
  public static func isValue(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = Scanner(bytes: bytes)
      return scanner.scan()
    }
  }

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    /// For each open container, whether it is an object.
    var open: [Bool] = []

    mutating func scan() -> Bool {
      while true {
        skipSpace()
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "{"):
          position += 1
          open.append(true)
          if !takeEnd() {
            guard name() else { return false }
            continue
          }
        case UInt8(ascii: "["):
          position += 1
          open.append(false)
          if !takeEnd() { continue }
        default: guard scalar() else { return false }
        }
        // A value has ended, and perhaps containers with it.
        while true {
          skipSpace()
          guard let isObject = open.last else { return position == bytes.count }
          if take(UInt8(ascii: ",")) {
            if isObject { guard name() else { return false } }
            break
          }
          guard takeEnd() else { return false }
        }
      }
    }

    /// The end of the innermost container.
    private mutating func takeEnd() -> Bool {
      skipSpace()
      guard let isObject = open.last, take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        return false
      }
      open.removeLast()
      return true
    }

    private mutating func name() -> Bool {
      skipSpace()
      guard string() else { return false }
      skipSpace()
      return take(UInt8(ascii: ":"))
    }

    private mutating func scalar() -> Bool {
      switch bytes[position] {
      case UInt8(ascii: "\""): string()
      case UInt8(ascii: "t"): word("true")
      case UInt8(ascii: "f"): word("false")
      case UInt8(ascii: "n"): word("null")
      default: number()
      }
    }

    private mutating func string() -> Bool {
      guard take(UInt8(ascii: "\"")) else { return false }
      while let end = try? JSONString.scan(bytes, from: position).end, end < bytes.count {
        position = end + 1
        if bytes[end] == UInt8(ascii: "\"") { return true }
        guard position < bytes.count else { return false }
        let escape = bytes[position]
        position += 1
        if escape == UInt8(ascii: "u") {
          guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy(Self.isHexDigit) else {
            return false
          }
          position += 4
        } else if !"\"\\/bfnrt".utf8.contains(escape) {
          return false
        }
      }
      return false
    }

    private mutating func number() -> Bool {
      _ = take(UInt8(ascii: "-"))
      if !take(UInt8(ascii: "0")) { guard digits() else { return false } }
      if take(UInt8(ascii: ".")) { guard digits() else { return false } }
      if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
        if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
        guard digits() else { return false }
      }
      return true
    }

    private mutating func digits() -> Bool {
      let start = position
      while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
      return position > start
    }

    private mutating func word(_ text: StaticString) -> Bool {
      let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      guard position + expected.count <= bytes.count,
        bytes[position..<position + expected.count].elementsEqual(expected)
      else { return false }
      position += expected.count
      return true
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

    private static func isHexDigit(_ byte: UInt8) -> Bool {
      byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }
  }
}
