import HTTPModel
import WebViewCore

enum RequestID {
  /// The caller's when it is one, else a new one.
  static func of(_ head: HTTPRequestHead) -> String {
    if let given = head.headers["X-Request-Id"], (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy(isAllowed)
    {
      return given
    }
    return RandomID.make(bits: 96)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
