/// Redirects that a page makes by itself: by meta element, script or form, without a person's doing.
enum ClientRedirects {
  /// Seconds after the load, where nobody says otherwise.
  static let window = 0.5
  /// A page's timer fires late, and what it begins takes a moment to start.
  static let slack = 0.25

  /// The seconds after which a document goes elsewhere, or loads itself again: of a `Refresh` header, or of the
  /// `content` of a meta element.
  static func refreshDelay(_ text: String) -> Double? {
    let number = text.drop { $0.isWhitespace }.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let first = number.first else { return nil }
    let rest = text.drop { $0.isWhitespace }.dropFirst(number.count)
    guard rest.first.map({ $0.isWhitespace || $0 == ";" || $0 == "," }) ?? true else { return nil }
    // As in `1.5.2`: what comes after the second point is nothing.
    let parts = number.split(separator: ".", omittingEmptySubsequences: false).prefix(2)
    return Double((first == "." ? "0" : "") + parts.joined(separator: "."))
  }
}
