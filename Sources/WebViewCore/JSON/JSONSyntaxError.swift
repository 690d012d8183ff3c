/// Why bytes are not JSON that the contract takes, and where.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Offset of the byte at which the text stops being right.
  public var offset: Int
  /// JSON Pointer to the value that was being read.
  public var pointer: String
  /// A clause such as "a member name must be followed by a colon".
  public var reason: String

  public init(offset: Int, pointer: String = "", reason: String) {
    self.offset = offset
    self.pointer = pointer
    self.reason = reason
  }

  /// A whole sentence.
  public var description: String {
    "The JSON is not valid at byte \(offset)\(pointer.isEmpty ? "" : " (in \(pointer))"): \(reason)."
  }

  func inside(_ token: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, pointer: JSONPointer.token(token) + pointer, reason: reason)
  }
}

/// RFC 6901.
public enum JSONPointer {
  /// One reference token with its slash.
  public static func token(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return "/" + name
    }
    var result = "/"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": result += "~0"
      case "/": result += "~1"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
