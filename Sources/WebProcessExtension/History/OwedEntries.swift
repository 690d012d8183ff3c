import CWebExtension
import WebProcessCore

/// WebKit adds no entry for what it loads by one. One in no list leaves the list to the page until its document is
/// there, which adds a copy of it: with the request and what was posted, as the page's own `pushState` would.
extension ExtendedPage {
  /// False: the parameters are not those of this message.
  func receivedOwedEntry(_ parameters: OpaquePointer?) -> Bool {
    guard let load = number(parameters, PageMessage.owedEntry) else { return false }
    owedEntry.await(load == 0 ? nil : load)
    return true
  }

  /// False: the parameters are not those of this message.
  func receivedOwedEntryIsDue(_ parameters: OpaquePointer?) -> Bool {
    guard let load = number(parameters, PageMessage.owedEntryIsDue) else { return false }
    if let frame = webview_page_main_frame(page),
      owedEntry.documentIsThere(load, isOfHistory: isOfHistory(frame))
    {
      addEntry(frame)
    }
    return true
  }

  func documentBegan(_ frame: UnsafeMutablePointer<WebKitFrame>) {
    if owedEntry.documentBegan(isOfHistory: isOfHistory(frame)) { addEntry(frame) }
  }

  private func number(_ parameters: OpaquePointer?, _ message: PageMessage) -> UInt32? {
    Variant.read(parameters, as: message.type) { $0.child(0, \.uint32) ?? 0 }
  }

  private func isOfHistory(_ frame: UnsafeMutablePointer<WebKitFrame>) -> Bool {
    evaluate("performance.navigation.type === PerformanceNavigation.TYPE_BACK_FORWARD", in: frame)
  }

  private func addEntry(_ frame: UnsafeMutablePointer<WebKitFrame>) {
    _ = evaluate("history.pushState(history.state, '')", in: frame)
  }

  /// In a world of its own, in which the page has changed nothing.
  /// - Returns: whether it gave true.
  private func evaluate(_ script: String, in frame: UnsafeMutablePointer<WebKitFrame>) -> Bool {
    guard let context = webkit_frame_get_js_context_for_script_world(frame, world) else { return false }
    defer { g_object_unref(context) }
    guard let value = jsc_context_evaluate(context, script, -1) else { return false }
    defer { g_object_unref(value) }
    jsc_context_clear_exception(context)
    return jsc_value_to_boolean(value) != 0
  }
}
