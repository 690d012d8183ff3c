import CWebKit
import GLibBridge
import WebProcessCore
import WebViewCore

/// The WebKit context of one page: it starts web processes for no other, so that what becomes of them is known to be
/// this page's.
@PageActor
final class PageContext {
  let pointer: UnsafeMutablePointer<WebKitWebContext>

  init(store: WebKitStore, engine: WebKitEngine) {
    pointer = webkit_web_context_new_with_website_data_manager(store.dataManager)!
    if engine.sandbox.state == .on { webkit_web_context_set_sandbox_enabled(pointer, 1) }
    webkit_web_context_set_web_extensions_directory(pointer, engine.moduleDirectory)
    // Nobody is there to take a download: it would go on, without an end, into a file.
    onPage(pointer, "download-started") { (_: OpaquePointer, download: OpaquePointer) in
      webkit_download_cancel(download.cast())
    }
  }

  isolated deinit { g_object_unref(pointer.raw) }

  /// - Parameter body: WebKit started a web process; gives the number for it, and that of the load whose document is
  ///   owed an entry.
  func onStart(_ body: @escaping @PageActor () -> (process: UInt, owedEntry: UInt32)) {
    onPage(pointer, "initialize-web-extensions") { (context: OpaquePointer) in
      let start = body()
      webkit_web_context_set_web_extensions_initialization_user_data(
        context.cast(),
        Variant.tuple([g_variant_new_uint64(start.process), g_variant_new_uint32(start.owedEntry)]))
    }
  }

  /// - Parameter body: a page of that id was made in the process of that number.
  func onPageCreated(_ body: @escaping @PageActor (_ process: UInt, _ page: UInt) -> Void) {
    onPage(pointer, "user-message-received") { (_: OpaquePointer, message: OpaquePointer) -> Bool in
      let message: UnsafeMutablePointer<WebKitUserMessage> = message.cast()
      let expected = ProcessMessage.pageCreated
      guard string(webkit_user_message_get_name(message)) == expected.name,
        let members = SerializedVariant(webkit_user_message_get_parameters(message), type: expected.type)
      else { return false }
      body(members.child(0).uint64, members.child(1).uint64)
      return true
    }
  }
}
