import CWebExtension

/// A message's parameters, which are read only when they are of the type that was agreed on.
struct Variant {
  /// Of children that were taken out of it it holds the references, to the end of `read`.
  private let pointer: OpaquePointer

  /// nil: they are of another type.
  static func read<Value>(_ pointer: OpaquePointer?, as type: String, _ body: (Variant) -> Value) -> Value? {
    guard let pointer, text(g_variant_get_type_string(pointer)) == type else { return nil }
    return body(Variant(pointer: pointer))
  }

  var uint32: UInt32 { g_variant_get_uint32(pointer) }
  var uint64: UInt { g_variant_get_uint64(pointer) }
  var string: String { text(g_variant_get_string(pointer, nil)) ?? "" }

  func child<Value>(_ index: Int, _ body: (Variant) -> Value) -> Value? {
    guard index < g_variant_n_children(pointer), let child = g_variant_get_child_value(pointer, gsize(index))
    else { return nil }
    defer { g_variant_unref(child) }
    return body(Variant(pointer: child))
  }

  func children<Value>(_ body: (Variant) -> Value) -> [Value] {
    (0..<Int(g_variant_n_children(pointer))).compactMap { child($0, body) }
  }
}
