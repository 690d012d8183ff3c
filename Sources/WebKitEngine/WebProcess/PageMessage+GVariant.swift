import CWebKit
import GLibBridge
import WebProcessCore
import WebViewCore

extension WebKitPage {
  /// Reaches the page's process before whatever WebKit is told afterwards: one connection carries both. Nobody
  /// hears it when the process is gone.
  /// - Parameters:
  ///   - parameters: of the message's type; taken over.
  ///   - onRefusal: the process does not know the message. It is not told of a process that is gone.
  func send(
    _ message: PageMessage, _ parameters: OpaquePointer, onRefusal: @escaping @PageActor () -> Void = {}
  ) {
    let made = webkit_user_message_new(message.name, parameters)
    let view = view
    webkit_web_view_send_message_to_page(
      view, made, nil, Completion.callback,
      Completion.data { result in
        var error: GErrorPointer = nil
        let reply = webkit_web_view_send_message_to_page_finish(view, result, &error)
        if let error, GLibError(consuming: error).domain == "WebKitUserMessageError" { onRefusal() }
        if let reply { g_object_unref(reply.raw) }
      })
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
