import CWebExtension
import WebProcessCore

/// A page as its process sees it, with what the engine said of it. Each feature is an extension in a file of its own.
///
/// Only the engine can speak to it. Whatever it says that is not understood, and whatever WebKit leaves out, has no
/// effect: a mistake here would end the page.
final class ExtendedPage {
  let page: UnsafeMutablePointer<WebKitWebPage>
  var headedNavigation = HeadedNavigation()
  var owedEntry = OwedEntry()
  private var ownWorld: UnsafeMutablePointer<WebKitScriptWorld>?

  private init(_ page: UnsafeMutablePointer<WebKitWebPage>) { self.page = page }

  deinit {
    if let ownWorld { g_object_unref(ownWorld) }
  }

  /// For scripts of ours.
  var world: UnsafeMutablePointer<WebKitScriptWorld>? {
    if ownWorld == nil { ownWorld = webkit_script_world_new() }
    return ownWorld
  }

  /// The page keeps it.
  /// - Parameter owedEntry: of the load whose document is to come first.
  static func attach(to page: UnsafeMutablePointer<WebKitWebPage>, owedEntry: UInt32?) {
    let made = ExtendedPage(page)
    made.owedEntry.awaitFirst(owedEntry)
    let data = Unmanaged.passRetained(made).toOpaque()
    webview_keep(page, data) { data in
      if let data { Unmanaged<ExtendedPage>.fromOpaque(data).release() }
    }
    webview_on_user_message_received(
      page,
      { _, message, data in
        guard let message, let page = ExtendedPage.from(data) else { return 0 }
        guard let answer = page.answer(to: message) else { return 0 }
        webkit_user_message_send_reply(message, answer)
        return 1
      }, data)
    webview_on_send_request(
      page,
      { _, request, redirect, data in
        if let request, let page = ExtendedPage.from(data) {
          page.setNavigationHeaders(of: request, redirect: redirect)
        }
        // The request goes out.
        return 0
      }, data)
  }

  /// nil: it was not attached.
  static func of(_ page: UnsafeMutablePointer<WebKitWebPage>) -> ExtendedPage? {
    from(webview_kept(page))
  }

  private static func from(_ data: gpointer?) -> ExtendedPage? {
    data.map { Unmanaged<ExtendedPage>.fromOpaque($0).takeUnretainedValue() }
  }

  /// nil: nobody knows the message.
  private func answer(
    to message: UnsafeMutablePointer<WebKitUserMessage>
  ) -> UnsafeMutablePointer<WebKitUserMessage>? {
    let name = text(webkit_user_message_get_name(message))
    let parameters = webkit_user_message_get_parameters(message)
    switch name {
    case PageMessage.navigationHeaders.name:
      return receivedNavigationHeaders(parameters) ? webkit_user_message_new("", nil) : nil
    case PageMessage.owedEntry.name:
      return receivedOwedEntry(parameters) ? webkit_user_message_new("", nil) : nil
    case PageMessage.owedEntryIsDue.name:
      return receivedOwedEntryIsDue(parameters) ? webkit_user_message_new("", nil) : nil
    default: return nil
    }
  }
}

/// Text that WebKit owns.
func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
