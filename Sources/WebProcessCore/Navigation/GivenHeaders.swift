/// Headers that a client gave for one navigation, and how far they go.
public struct GivenHeaders: Equatable, Sendable {
  public private(set) var fields: [HeaderField] = []

  /// Without those that are never a client's, or no headers at all; several of one name become one.
  public init(_ given: [HeaderField]) {
    for field in given where !Self.isReserved(field) && field.isWellFormed {
      if let known = fields.firstIndex(where: { Self.isSame($0.name, field.name) }) {
        fields[known].value += ", " + field.value
      } else {
        fields.append(field)
      }
    }
  }

  /// Goes from one request to the one that its response led to.
  /// - Returns: the names that go no further.
  public mutating func followRedirect(from: String, to: String, keepsMethod: Bool) -> [String] {
    let given = fields
    fields = given.following(redirectFrom: from, to: to, keepsMethod: keepsMethod)
    return given.filter { !fields.contains($0) }.map(\.name)
  }

  /// Cookies are the jar's.
  private static func isReserved(_ field: HeaderField) -> Bool {
    field.isOfConnection || ["cookie", "cookie2"].contains(field.name.lowercased())
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }
}
