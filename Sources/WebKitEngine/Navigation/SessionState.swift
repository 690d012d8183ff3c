import CWebKit
import Foundation
import GLibBridge
import WebViewCore

/// WebKit's serialized form of a view's history, with one entry of ours: going to that is the only load that
/// WebKitGTK sends with a body, or answers from its cache whatever the cache thinks of it.
///
/// Version 2, as WebKitGTK 2.50 reads it. A field of a frame is what WebKit calls it.
enum SessionState {
  struct Entry {
    var url: String
    /// nil: a GET.
    var body: (contentType: String, file: PostedBody)?
  }

  private static let item = "(s(ssssasmayxx(ii)dm(sa(uaysxmxmds))av)u)"
  private static let bodyElement = "(uaysxmxmds)"
  private static let version: UInt16 = 2

  /// WebKit takes an entry for the document that is there when the numbers are the same; its own count from
  /// the microseconds of its start. These are of another range.
  @PageActor private static var sequence = 1 << 52 | Int(Date().timeIntervalSince1970 * 1_000_000)

  /// nil: WebKit's form is another one.
  @PageActor
  static func holding(_ entry: Entry) -> OpaquePointer? {
    let whole = g_variant_ref_sink(
      Variant.tuple([
        g_variant_new_uint16(version), Variant.array(of: item, [make(entry)]),
        Variant.maybe("u", g_variant_new_uint32(0)),
      ]))!
    defer { g_variant_unref(whole) }
    let bytes = g_variant_get_data_as_bytes(whole)
    defer { g_bytes_unref(bytes) }
    return webkit_web_view_session_state_new(bytes)
  }

  @PageActor
  private static func make(_ entry: Entry) -> OpaquePointer {
    sequence += 2
    let frame = Variant.tuple([
      Variant.string(entry.url), Variant.string(entry.url), Variant.string(""), Variant.string(""),
      Variant.array(of: "s", []),
      Variant.maybe("ay", nil),
      g_variant_new_int64(sequence), g_variant_new_int64(sequence + 1),
      Variant.tuple([g_variant_new_int32(0), g_variant_new_int32(0)]), g_variant_new_double(1),
      Variant.maybe("(sa\(bodyElement))", entry.body.map(make)), Variant.array(of: "v", []),
    ])
    return Variant.tuple([Variant.string(""), frame, g_variant_new_uint32(0)])
  }

  /// As a file: WebKit reads bytes that stand in the history one by one.
  private static func make(_ body: (contentType: String, file: PostedBody)) -> OpaquePointer {
    let elements =
      body.file.size == 0
      ? []
      : [
        Variant.tuple([
          g_variant_new_uint32(1), Variant.array(of: "y", []), Variant.string(body.file.path),
          g_variant_new_int64(0), Variant.maybe("x", nil), Variant.maybe("d", nil), Variant.string(""),
        ])
      ]
    return Variant.tuple([Variant.string(body.contentType), Variant.array(of: bodyElement, elements)])
  }
}
