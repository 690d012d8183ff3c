/// The address of the document that is there. WebKit's view shows that of a newer load as soon as it is asked for,
/// and may go on to show it when that load came to nothing; then the document itself is asked.
struct DocumentAddress {
  private enum Trust { case known, unsure, guessed }

  /// nil before the first document.
  private(set) var url: String?
  private var trust = Trust.known
  /// Only the document can tell.
  private(set) var isDoubted = false

  /// A document came, or went to another address of its own.
  mutating func set(_ url: String?) { self.url = url }

  /// A document came for a load that runs; the view shows no other's address.
  mutating func committed(_ url: String) {
    self = DocumentAddress()
    self.url = url
  }

  /// A document came for a load that was superseded.
  mutating func guess(_ url: String) {
    self.url = url
    trust = .guessed
    isDoubted = true
  }

  /// A load was stopped or superseded.
  mutating func suspect() {
    if trust == .known { trust = .unsure }
  }

  /// Nothing loads, and the view shows this; nil: it loads something else.
  mutating func seen(_ viewURL: String?) {
    guard url != nil, trust != .known || viewURL.map({ $0 != url }) ?? false else { return }
    if trust == .guessed, let viewURL { url = viewURL }
    isDoubted = true
  }

  /// By the document.
  /// - Returns: whether it is another one than was thought.
  mutating func told(_ url: String) -> Bool {
    guard isDoubted, !url.isEmpty else { return false }
    let isOther = self.url != url
    committed(url)
    return isOther
  }
}
