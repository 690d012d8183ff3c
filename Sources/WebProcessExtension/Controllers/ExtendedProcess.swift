import CWebExtension
import WebProcessCore

/// This process as the engine knows it. WebKit tells the engine when it starts one, and not which pages it is for.
final class ExtendedProcess {
  private let number: UInt
  /// Of the load whose document the process was started for; 0: it adds no entry of its own.
  private var owedEntry: UInt32

  private init(number: UInt, owedEntry: UInt32) {
    self.number = number
    self.owedEntry = owedEntry
  }

  /// The process keeps it.
  static func attach(to webExtension: UnsafeMutablePointer<WebKitWebExtension>, _ userData: OpaquePointer?) {
    let process = Variant.read(userData, as: ProcessMessage.startType) {
      ExtendedProcess(number: $0.child(0, \.uint64) ?? 0, owedEntry: $0.child(1, \.uint32) ?? 0)
    }
    guard let process else { return }
    webview_keep(webExtension, Unmanaged.passRetained(process).toOpaque()) { data in
      if let data { Unmanaged<ExtendedProcess>.fromOpaque(data).release() }
    }
  }

  /// nil: it was not attached.
  static func of(_ webExtension: UnsafeMutablePointer<WebKitWebExtension>) -> ExtendedProcess? {
    webview_kept(webExtension).map { Unmanaged<ExtendedProcess>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Before whatever else the process tells of the page.
  func tell(
    of page: UnsafeMutablePointer<WebKitWebPage>, in webExtension: UnsafeMutablePointer<WebKitWebExtension>
  ) {
    let members: [OpaquePointer?] = [
      g_variant_new_uint64(number), g_variant_new_uint64(webkit_web_page_get_id(page)),
    ]
    let message = webkit_user_message_new(
      ProcessMessage.pageCreated.name, g_variant_new_tuple(members, gsize(members.count)))
    webkit_web_extension_send_message_to_context(webExtension, message, nil, nil, nil)
  }

  /// For the first page, which the document comes to.
  func takeOwedEntry() -> UInt32? {
    defer { owedEntry = 0 }
    return owedEntry == 0 ? nil : owedEntry
  }
}
