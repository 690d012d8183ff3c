import CWebKit
import GLibBridge
import WebViewCore

/// A page's history in WebKit's serialized form, and what brings the page back to it.
struct WrittenHistory {
  var bytes: [UInt8]
  var before: HistoryBefore
}

extension WebKitPage {
  /// WebKit writes the bytes that entries carry (of `history.state`, of what forms posted) one by one, at 200 bytes
  /// of memory each and a second for less than a million. How many there are is the page's to choose.
  private static let limit = ForkedWork.Limit(
    work: .milliseconds(200), time: .seconds(1), bytes: 1 << 20)
  /// How often a page that changes its history meanwhile is asked again.
  private static let patience = 3

  /// nil: the page has put too much into it, or does not come to rest.
  func writtenHistory() async -> WrittenHistory? {
    for _ in 0..<Self.patience {
      guard let state = webkit_web_view_get_session_state(view) else { return nil }
      defer { webkit_web_view_session_state_unref(state) }
      let before = HistoryBefore(retaining: state, ids: historyIDs)
      let entries = readHistory()
      let bytes = await ForkedWork.bytes(within: Self.limit, reapedBy: engine.loop) {
        webkit_web_view_session_state_serialize(state)
      }
      guard let bytes, !Task.isCancelled, !isClosed else { return nil }
      let now = readHistory()
      if now.entries == entries.entries, now.current == entries.current {
        return WrittenHistory(bytes: bytes, before: before)
      }
    }
    return nil
  }
}
