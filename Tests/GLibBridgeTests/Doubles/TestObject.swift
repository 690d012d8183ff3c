import CGLib

/// A GObject class of these tests' own, whose signals have each kind of argument and of result.
enum TestObject {
  static let type: GType = {
    let type = g_type_register_static_simple(
      g_object_get_type(), "WebviewBridgeTestObject", UInt32(MemoryLayout<GObjectClass>.size), nil,
      UInt32(MemoryLayout<GObject>.size), nil, GTypeFlags(rawValue: 0))
    add("ping", to: type, [])
    add(
      "everything", to: type,
      [
        fundamental(16), fundamental(5), fundamental(6), fundamental(7), fundamental(15),
        g_socket_type_get_type(), g_tls_certificate_flags_get_type(), fundamental(17), g_bytes_get_type(),
        g_object_get_type(), fundamental(19),
      ])
    add("perhaps", to: type, [g_object_get_type(), g_bytes_get_type(), fundamental(17)])
    add("one", to: type, [g_object_get_type()])
    add("question", to: type, [fundamental(16)], answer: fundamental(5))
    add("maker", to: type, [], answer: g_object_get_type())
    return type
  }()

  /// GLib's `G_TYPE_MAKE_FUNDAMENTAL`, a macro: 5 boolean, 6 int, 7 unsigned, 15 double, 16 string, 17 pointer,
  /// 19 parameter specification.
  static func fundamental(_ number: GType) -> GType { number << 2 }

  static func make() -> UnsafeMutablePointer<GObject> { g_object_new_with_properties(type, 0, nil, nil) }

  static func value(of type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void = { _ in }) -> GValue {
    var value = GValue()
    g_value_init(&value, type)
    fill(&value)
    return value
  }

  /// Takes over the arguments' contents, and hands over the result's.
  @discardableResult
  static func emit(
    _ signal: String, on object: UnsafeMutablePointer<GObject>, _ arguments: [GValue] = [],
    answer: GType? = nil
  ) -> GValue {
    var values = [value(of: type) { g_value_set_object($0, object) }] + arguments
    var result = answer.map { value(of: $0) } ?? GValue()
    let identifier = g_signal_lookup(signal, type)
    if answer != nil {
      g_signal_emitv(values, identifier, 0, &result)
    } else {
      g_signal_emitv(values, identifier, 0, nil)
    }
    for index in values.indices { g_value_unset(&values[index]) }
    return result
  }

  private static func add(_ name: String, to type: GType, _ parameters: [GType], answer: GType = 1 << 2) {
    var parameters = parameters
    g_signal_newv(
      name, type, G_SIGNAL_RUN_LAST, nil, nil, nil, nil, answer, UInt32(parameters.count), &parameters)
  }
}
