import CWebKit
import GLibBridge
import WebViewCore

/// Makes entries of a history that are in no list. Only a view can: one of its own, which goes nowhere and has no
/// process.
@PageActor
final class EntryMaker {
  private let view: UnsafeMutablePointer<WebKitWebView>

  init(context: PageContext) {
    view = webkit_web_view_new_with_context(context.pointer)!.cast()
    g_object_ref_sink(view.raw)
  }

  isolated deinit { g_object_unref(view.raw) }

  /// nil: WebKit's form of an entry is another one.
  func make(_ entry: SessionState.Entry) -> OwnedObject<WebKitPage.HistoryEntry>? {
    guard let state = SessionState.holding(entry) else { return nil }
    defer { webkit_web_view_session_state_unref(state) }
    webkit_web_view_restore_session_state(view, state)
    return webkit_web_view_get_back_forward_list(view)
      .flatMap { webkit_back_forward_list_get_current_item($0) }.map { OwnedObject(retaining: $0) }
  }
}
