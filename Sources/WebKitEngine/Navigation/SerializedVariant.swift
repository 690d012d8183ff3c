import CWebKit
import GLibBridge

/// A GVariant that is read; it lives as long as this, which is why nobody else has the pointer.
final class SerializedVariant {
  private let pointer: OpaquePointer
  private init(owning pointer: OpaquePointer) { self.pointer = pointer }
  deinit { g_variant_unref(pointer) }

  /// nil when it is of another type.
  init?(_ value: OpaquePointer?, type: String) {
    guard let value, string(g_variant_get_type_string(value)) == type else { return nil }
    pointer = g_variant_ref(value)
  }

  func child(_ index: Int) -> SerializedVariant {
    SerializedVariant(owning: g_variant_get_child_value(pointer, gsize(index)))
  }
  var uint64: UInt { g_variant_get_uint64(pointer) }
}

extension Variant {
  static func maybe(_ type: String, _ value: OpaquePointer?) -> OpaquePointer {
    let type = g_variant_type_new(type)
    defer { g_variant_type_free(type) }
    return g_variant_new_maybe(type, value)
  }
}
