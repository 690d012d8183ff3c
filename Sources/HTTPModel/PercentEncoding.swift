/// RFC 3986.
public enum PercentEncoding {
  /// Text as one segment of a path or one value of a query: all but unreserved characters are encoded.
  public static func segment(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return result
  }

  /// Each `%xx` once, in queries `+` as a blank too; nil when that is not UTF-8.
  public static func decode(_ text: some Collection<UInt8>, plusIsBlank: Bool = false) -> String? {
    guard text.contains(where: { $0 == UInt8(ascii: "%") || plusIsBlank && $0 == UInt8(ascii: "+") }) else {
      return String(validating: text, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(hexadecimal), let low = iterator.next().flatMap(hexadecimal)
        else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
