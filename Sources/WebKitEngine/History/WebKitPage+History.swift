import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  typealias HistoryEntry = UnsafeMutablePointer<WebKitBackForwardListItem>

  var backForwardList: BackForwardList {
    guard !isClosed else { return BackForwardList() }
    let history = readHistory()
    guard let current = history.current else { return BackForwardList() }
    func text(_ value: UnsafePointer<CChar>?) -> String { (string(value) ?? "").withoutCredentials }
    var items = zip(history.entries, historyIDs.update(history.entries)).map { entry, id in
      HistoryItem(
        id: id, url: text(webkit_back_forward_list_item_get_uri(entry)),
        initialURL: initialURLs[id]?.withoutCredentials
          ?? text(webkit_back_forward_list_item_get_original_uri(entry)),
        title: string(webkit_back_forward_list_item_get_title(entry)).flatMap { $0.isEmpty ? nil : $0 })
    }
    // WebKit writes the title of the document that is there into its entry when that is left.
    if canRunScripts, !tracker.isAskedForHistory, !tracker.isDocumentGiven { items[current].title = title }
    return BackForwardList(
      backList: Array(items[..<current]), currentItem: items[current],
      forwardList: Array(items[(current + 1)...]))
  }

  var canGoBack: Bool { canGo(by: -1) }
  var canGoForward: Bool { canGo(by: 1) }

  func goBack() -> Bool { step(by: -1) }
  func goForward() -> Bool { step(by: 1) }

  private func step(by step: Int) -> Bool { go(to: entry(by: step)) }

  func go(to id: HistoryItemID) -> Bool {
    guard !isClosed else { return false }
    let entries = readHistory().entries
    return go(to: historyIDs.update(entries).firstIndex(of: id).map { entries[$0] })
  }

  private func go(to entry: HistoryEntry?) -> Bool {
    guard !isClosed, let entry else { return false }
    let leavesGiven = isBeforeGiven(entry)
    let url = string(webkit_back_forward_list_item_get_uri(entry))
    let target = OwnedObject(retaining: entry)
    dropUntoldNavigation()
    // A step within the document leaves to WebKit what loads: its document would come over the step's.
    let isSuperseding = tracker.isProvisional || tracker.isAwaitingStart
    calling {
      tracker.askHistory(url: url, leavesGiven: leavesGiven)
      historyTarget = target
      let scope = fileHistory.scope(of: url)
      whenReady { page in
        page.scoped(scope) { page in
          if isSuperseding { webkit_web_view_stop_loading(page.view) }
          webkit_web_view_go_to_back_forward_list_item(page.view, target.pointer)
        }
      }
      tell([.historyChanged])
    }
    stateChangedLater()
    return true
  }

  /// WebKit says that entries came, went, or that another is the current one.
  func historyChanged() {
    // Entries are known by their address: those that are named live on until the list is known again.
    let entries = readHistory().entries
    let ids = historyIDs.update(entries)
    heldHistory = entries.map { OwnedObject(retaining: $0) }
    let current = webkit_web_view_get_back_forward_list(view)
      .flatMap { webkit_back_forward_list_get_current_item($0) }
    tracker.historyChanged(isAtTarget: current == historyTarget?.pointer)
    if isEntryDue, let index = entries.firstIndex(where: { $0 == current }) {
      initialURLs = initialURLs.filter { ids.contains($0.key) }
      initialURLs[ids[index]] = initialURL
    }
    entryCame()
    tell([.historyChanged])
    stateChanged()
  }

  /// Given content has no entry: those that are there lead elsewhere.
  func noteEntriesBeforeGiven() {
    entriesBeforeGiven = tracker.isDocumentGiven ? Set(historyIDs.update(readHistory().entries)) : []
  }

  private func isBeforeGiven(_ entry: HistoryEntry) -> Bool {
    guard !entriesBeforeGiven.isEmpty else { return false }
    let entries = readHistory().entries
    return zip(entries, historyIDs.update(entries)).contains {
      $0 == entry && entriesBeforeGiven.contains($1)
    }
  }

  /// A document that comes back from the page cache was answered long ago: its response is that of its resource.
  func tellCachedResponse() {
    guard isReady, tracker.isUnanswered, let resource = webkit_web_view_get_main_resource(view),
      let response = webkit_web_resource_get_response(resource)
    else { return }
    let values = MainResourceResponse(response)
    // Given content has a response that nobody sent.
    guard values.status != nil || values.url.hasPrefix("file:") else { return }
    tell(tracker.responded(values, refusal: nil))
  }

  // MARK: Parts

  /// Oldest first. The current one is the one that the page is on its way to: WebKit moves on to it a moment after
  /// it was told to go there, and a second step starts from where the first one leads.
  func readHistory() -> (entries: [HistoryEntry], current: Int?) {
    guard let list = webkit_web_view_get_back_forward_list(view),
      let current = webkit_back_forward_list_get_current_item(list)
    else { return ([], nil) }
    func walk(_ step: gint) -> [HistoryEntry] {
      var found: [HistoryEntry] = []
      while let entry = webkit_back_forward_list_get_nth_item(list, step * gint(found.count + 1)) {
        found.append(entry)
      }
      return found
    }
    let back = walk(-1)
    let entries = back.reversed() + [current] + walk(1)
    let target = tracker.isAskedForHistory ? historyTarget?.pointer : nil
    return (entries, target.flatMap { entries.firstIndex(of: $0) } ?? back.count)
  }

  private func entry(by step: Int) -> HistoryEntry? {
    let history = readHistory()
    guard let current = history.current, history.entries.indices.contains(current + step) else { return nil }
    return history.entries[current + step]
  }

  private func canGo(by step: Int) -> Bool {
    guard !isClosed else { return false }
    if tracker.isAskedForHistory { return entry(by: step) != nil }
    // The list, not WebKit's own answer, which is known a moment after the list changed.
    return webkit_web_view_get_back_forward_list(view).flatMap {
      webkit_back_forward_list_get_nth_item($0, gint(step))
    } != nil
  }
}
