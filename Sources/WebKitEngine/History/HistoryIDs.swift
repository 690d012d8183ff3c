import WebViewCore

/// The names of a history's entries: the same for as long as an entry is in the list, never another's, and not to
/// be guessed from those of other pages.
struct HistoryIDs<Entry: Hashable> {
  private let owner = RandomID.make()
  private var count = 0
  private var entries: [Entry] = []
  /// One for each of `entries`.
  private var names: [HistoryItemID] = []

  /// The list as it is now, oldest first; entries that are in it for the first time are named.
  mutating func update(_ entries: [Entry]) -> [HistoryItemID] {
    guard entries != self.entries else { return names }
    let known = Dictionary(zip(self.entries, names), uniquingKeysWith: { first, _ in first })
    names = entries.map { known[$0] ?? new() }
    self.entries = entries
    return names
  }

  private mutating func new() -> HistoryItemID {
    count += 1
    return HistoryItemID(text: "h\(count)-\(owner)")
  }
}
