import CWebKit
import WebViewCore

/// A page's history as it was before an entry was put at its end for a load that has no document yet.
@PageActor
final class HistoryBefore {
  fileprivate let state: OpaquePointer
  fileprivate let ids: HistoryIDs<WebKitPage.HistoryEntry>

  init(retaining state: OpaquePointer, ids: HistoryIDs<WebKitPage.HistoryEntry>) {
    self.state = webkit_web_view_session_state_ref(state)
    self.ids = ids
  }

  isolated deinit { webkit_web_view_session_state_unref(state) }
}

extension WebKitPage {
  /// A load that comes to nothing leaves no entry, which going back would send again.
  func settleHistory(hasDocument: Bool) {
    guard let before = historyBefore else { return }
    historyBefore = nil
    guard !hasDocument, !isClosed else { return }
    webkit_web_view_restore_session_state(view, before.state)
    historyIDs = before.ids
    historyWasRestored(keeping: 0..<Int.max)
  }
}
