import CWebKit
import GLibBridge
import WebProcessCore

extension WebKitPage {
  /// Reaches the page's process before whatever WebKit is told afterwards: one connection carries both. Nobody
  /// hears it when the process is gone.
  /// - Parameter parameters: of the message's type; taken over.
  func send(_ message: PageMessage, _ parameters: OpaquePointer) {
    webkit_web_view_send_message_to_page(
      view, webkit_user_message_new(message.name, parameters), nil, nil, nil)
  }
}

/// A message's parameters in the making: floating references, which each next one takes over.
enum Variant {
  static func string(_ text: String) -> OpaquePointer { g_variant_new_string(text)! }

  static func tuple(_ members: [OpaquePointer]) -> OpaquePointer {
    g_variant_new_tuple(members.map { $0 }, gsize(members.count))!
  }

  static func array(of type: String, _ elements: [OpaquePointer]) -> OpaquePointer {
    let type = g_variant_type_new(type)!
    defer { g_variant_type_free(type) }
    return g_variant_new_array(type, elements.map { $0 }, gsize(elements.count))!
  }
}
