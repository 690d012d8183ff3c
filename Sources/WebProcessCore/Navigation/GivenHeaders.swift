/// A header as it stands on the wire.
public struct HeaderField: Equatable, Sendable {
  public var name: String
  public var value: String
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// It ends no line but its own.
  var isWellFormed: Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }
      && !value.utf8.contains { $0 == 0x0d || $0 == 0x0a || $0 == 0 }
  }
}

/// Headers that a client gave for one navigation, and how far they go.
public struct GivenHeaders: Equatable, Sendable {
  public private(set) var fields: [HeaderField] = []

  /// Without those that are never a client's, or no headers at all; several of one name become one.
  public init(_ given: [HeaderField]) {
    for field in given where !Self.isReserved(field.name) && field.isWellFormed {
      if let known = fields.firstIndex(where: { Self.isSame($0.name, field.name) }) {
        fields[known].value += ", " + field.value
      } else {
        fields.append(field)
      }
    }
  }

  /// Goes from one request to the one that its response led to.
  /// - Parameter keepsMethod: false also takes away what describes the body, which went with the method.
  /// - Returns: the names that go no further.
  public mutating func followRedirect(from: String, to: String, keepsMethod: Bool) -> [String] {
    let isSameOrigin = Self.origin(from) == Self.origin(to)
    func goesOn(_ field: HeaderField) -> Bool {
      let name = field.name.lowercased()
      return (isSameOrigin || Self.forEveryOrigin.contains(name))
        && (keepsMethod || !Self.describingBody.contains(name))
    }
    let dropped = fields.filter { !goesOn($0) }.map(\.name)
    fields = fields.filter(goesOn)
    return dropped
  }

  // MARK: Names

  /// What a browser says of itself to everybody. All else may be a secret between the client and one origin.
  private static let forEveryOrigin: Set = ["user-agent", "accept", "accept-language"]
  /// Fetch's request-body-header names.
  private static let describingBody: Set = [
    "content-encoding", "content-language", "content-location", "content-type",
  ]
  /// Cookies are the jar's; the others describe a connection.
  private static let reserved: Set = [
    "connection", "content-length", "cookie", "cookie2", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  private static func isReserved(_ name: String) -> Bool {
    let name = name.lowercased()
    return reserved.contains(name) || name.hasPrefix("proxy-")
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }

  /// Of a serialized URL: its scheme and its host with the port, in lower case and without a default port already.
  private static func origin(_ url: String) -> Substring {
    guard let colon = url.firstIndex(of: ":") else { return url[...] }
    let rest = url[colon...].dropFirst()
    // Two URLs without a host have no origin in common.
    guard rest.hasPrefix("//") else { return url[...] }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return url[..<authority.endIndex] }
    return url[..<colon] + "://" + authority[at...].dropFirst()
  }
}
