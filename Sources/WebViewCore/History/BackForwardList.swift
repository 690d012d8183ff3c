/// Names an entry of one controller's history: for as long as the entry is there, and nothing else ever.
public struct HistoryItemID: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  public init(text: String) { self.text = text }
  public var description: String { text }
}

/// An entry of the history: WKBackForwardListItem.
public struct HistoryItem: Sendable, Equatable {
  public var id: HistoryItemID
  public var url: String
  /// What was asked for before the server redirected.
  public var initialURL: String
  public var title: String?
  public init(id: HistoryItemID, url: String, initialURL: String, title: String?) {
    self.id = id
    self.url = url
    self.initialURL = initialURL
    self.title = title
  }
}

/// Where a page has been, and where it can go forward to: WKBackForwardList.
public struct BackForwardList: Sendable, Equatable {
  /// Oldest first: going back leads to the last one.
  public var backList: [HistoryItem]
  /// nil before the first entry.
  public var currentItem: HistoryItem?
  /// Nearest first: going forward leads to the first one.
  public var forwardList: [HistoryItem]

  public init(
    backList: [HistoryItem] = [], currentItem: HistoryItem? = nil, forwardList: [HistoryItem] = []
  ) {
    self.backList = backList
    self.currentItem = currentItem
    self.forwardList = forwardList
  }

  /// Oldest first.
  var items: [HistoryItem] { backList + (currentItem.map { [$0] } ?? []) + forwardList }
}

/// The list as clients were last told of it: which entries, and which of them is the current one.
struct ToldHistory {
  private var items: [HistoryItemID] = []
  private var current: HistoryItemID?

  /// False when it is the same.
  mutating func update(_ list: BackForwardList) -> Bool {
    let before = self
    items = list.items.map(\.id)
    current = list.currentItem?.id
    return items != before.items || current != before.current
  }
}
