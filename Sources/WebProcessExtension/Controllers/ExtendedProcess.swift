import CWebExtension
import WebProcessCore

/// What the engine knows this process by: WebKit tells it when it starts one, and not which pages it is for.
enum ProcessNumber {
  /// The process keeps the number that it is given at its start.
  static func keep(_ userData: OpaquePointer?, in webExtension: UnsafeMutablePointer<WebKitWebExtension>) {
    let number = Variant.read(userData, as: ProcessMessage.startType, \.uint64)
    if let number { webview_extension_keep_number(webExtension, number) }
  }

  /// Before whatever else the process tells of the page.
  static func tell(
    of page: UnsafeMutablePointer<WebKitWebPage>, in webExtension: UnsafeMutablePointer<WebKitWebExtension>
  ) {
    let members: [OpaquePointer?] = [
      g_variant_new_uint64(webview_extension_number(webExtension)),
      g_variant_new_uint64(webkit_web_page_get_id(page)),
    ]
    let message = webkit_user_message_new(
      ProcessMessage.pageCreated.name, g_variant_new_tuple(members, gsize(members.count)))
    webkit_web_extension_send_message_to_context(webExtension, message, nil, nil, nil)
  }
}
