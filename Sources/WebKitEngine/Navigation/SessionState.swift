import CWebKit
import Foundation
import GLibBridge
import WebViewCore

/// WebKit's serialized form of a view's history, to which an entry of ours is appended: going to it is the only
/// load that WebKitGTK sends with a body, or answers from its cache whatever the cache thinks of it.
///
/// Version 2, as WebKitGTK 2.50 writes and reads it. A field of a frame is what WebKit calls it.
enum SessionState {
  struct Entry {
    var url: String
    /// nil: a GET.
    var body: (contentType: String, file: PostedBody)?
  }

  private static let item = "(s(ssssasmayxx(ii)dm(sa(uaysxmxmds))av)u)"
  private static let type = "(qa\(item)mu)"
  private static let bodyElement = "(uaysxmxmds)"
  private static let version: UInt16 = 2
  /// WebKit keeps no more entries.
  private static let capacity = 100

  /// WebKit takes an entry for the document that is there when the numbers are the same; its own count from
  /// the microseconds of its start. These are of another range.
  @PageActor private static var sequence = 1 << 52 | Int(Date().timeIntervalSince1970 * 1_000_000)

  /// The history with the entries after the current one gone and `entry` in their place, as its current one.
  /// - Returns: nil when WebKit's form is another one; and how many entries were kept, from which one on.
  @PageActor
  static func appending(_ entry: Entry, to history: [UInt8]) -> (state: OpaquePointer, kept: Range<Int>)? {
    var items: [OpaquePointer] = []
    if !history.isEmpty {
      guard let read = SerializedVariant(parsing: history, type: type) else { return nil }
      guard read.child(0).uint16 == version else { return nil }
      let current = read.child(2).maybe.map { Int($0.uint32) }
      items = current.map { read.child(1).children.prefix($0 + 1).map { $0.retained() } } ?? []
    }
    let first = max(0, items.count + 1 - capacity)
    for dropped in items.prefix(first) { g_variant_unref(dropped) }
    let kept = first..<items.count
    let all = items[kept] + [g_variant_ref_sink(make(entry))]
    defer { for item in all { g_variant_unref(item) } }
    let whole = g_variant_ref_sink(
      Variant.tuple([
        g_variant_new_uint16(version), Variant.array(of: item, Array(all)),
        Variant.maybe("u", g_variant_new_uint32(guint32(all.count - 1))),
      ]))!
    defer { g_variant_unref(whole) }
    let bytes = g_variant_get_data_as_bytes(whole)
    defer { g_bytes_unref(bytes) }
    return webkit_web_view_session_state_new(bytes).map { ($0, kept) }
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

  /// As a file: WebKit writes and reads bytes that stand in the history one by one, here and each time that the
  /// history is asked for.
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
