/// A header as it stands on the wire.
public struct HeaderField: Sendable, Equatable {
  public var name: String
  public var value: String
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// It ends no line but its own.
  var isWellFormed: Bool {
    name.isToken && !value.utf8.contains { $0 == 0x0d || $0 == 0x0a || $0 == 0 }
  }

  /// It is between the engine and the next machine, or says how long the body is: never a client's.
  public var isOfConnection: Bool {
    let name = name.lowercased()
    return Self.ofConnection.contains(name) || name.hasPrefix("proxy-")
  }

  private static let ofConnection: Set = [
    "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}

extension StringProtocol {
  /// RFC 9110's token, such as a method, a header's name or either half of a media type.
  public var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      }
  }
}
