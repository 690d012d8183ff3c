import CWebKit
import GLibBridge

/// A GVariant that is read; it lives as long as this, which is why nobody else has the pointer.
final class SerializedVariant {
  private let pointer: OpaquePointer
  private init(owning pointer: OpaquePointer) { self.pointer = pointer }
  deinit { g_variant_unref(pointer) }

  /// nil when the bytes are no value of that type.
  init?(parsing bytes: [UInt8], type: String) {
    let type = g_variant_type_new(type)
    let bytes = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer {
      g_variant_type_free(type)
      g_bytes_unref(bytes)
    }
    guard let value = g_variant_new_from_bytes(type, bytes, 0) else { return nil }
    pointer = g_variant_ref_sink(value)
    if g_variant_is_normal_form(value) == 0 { return nil }
  }

  /// nil when it is of another type.
  init?(_ value: OpaquePointer?, type: String) {
    guard let value, string(g_variant_get_type_string(value)) == type else { return nil }
    pointer = g_variant_ref(value)
  }

  func child(_ index: Int) -> SerializedVariant {
    SerializedVariant(owning: g_variant_get_child_value(pointer, gsize(index)))
  }
  var children: [SerializedVariant] { (0..<Int(g_variant_n_children(pointer))).map(child) }
  var uint16: UInt16 { g_variant_get_uint16(pointer) }
  var uint32: UInt32 { g_variant_get_uint32(pointer) }
  var uint64: UInt { g_variant_get_uint64(pointer) }
  var text: String { string(g_variant_get_string(pointer, nil)) ?? "" }
  var maybe: SerializedVariant? { g_variant_get_maybe(pointer).map { SerializedVariant(owning: $0) } }
  func retained() -> OpaquePointer { g_variant_ref(pointer) }
}

extension Variant {
  static func maybe(_ type: String, _ value: OpaquePointer?) -> OpaquePointer {
    let type = g_variant_type_new(type)
    defer { g_variant_type_free(type) }
    return g_variant_new_maybe(type, value)
  }
}
