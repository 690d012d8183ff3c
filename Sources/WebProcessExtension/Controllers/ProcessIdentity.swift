import CWebExtension
import Glibc
import WebProcessCore

extension ExtendedPage {
  /// A sandbox has ids of its own: without the name of their namespace they tell nobody outside anything.
  func processIdentity() -> UnsafeMutablePointer<WebKitUserMessage>? {
    guard let namespace = g_file_read_link("/proc/self/ns/pid", nil) else { return nil }
    defer { g_free(namespace) }
    let members: [OpaquePointer?] = [g_variant_new_int32(getpid()), g_variant_new_string(namespace)]
    return webkit_user_message_new(
      PageMessage.processIdentity.name, g_variant_new_tuple(members, gsize(members.count)))
  }
}
