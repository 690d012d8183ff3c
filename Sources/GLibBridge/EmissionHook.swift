import CGLib

/// Sees every emission of a signal, on whichever object.
public enum EmissionHook {
  private final class Callback {
    let argumentCount: UInt32
    let body: (UnsafePointer<GValue>) -> Void
    init(argumentCount: UInt32, _ body: @escaping (UnsafePointer<GValue>) -> Void) {
      self.argumentCount = argumentCount
      self.body = body
    }
  }

  /// For a signal with one object argument: `body` gets the object that emits and the argument. For the life
  /// of the process; false when no such type or signal is known (a type is, once it was used).
  public static func add(
    type name: String, signal: String, _ body: @escaping (OpaquePointer, OpaquePointer) -> Void
  ) -> Bool {
    add(
      type: name, signal: signal,
      Callback(argumentCount: 1) { body(OpaquePointer(gvalue: $0), OpaquePointer(gvalue: $0 + 1)) })
  }

  /// The same for a signal without arguments.
  public static func add(type name: String, signal: String, _ body: @escaping (OpaquePointer) -> Void) -> Bool
  {
    add(type: name, signal: signal, Callback(argumentCount: 0) { body(OpaquePointer(gvalue: $0)) })
  }

  private static func add(type name: String, signal: String, _ callback: Callback) -> Bool {
    let type = g_type_from_name(name)
    guard type != 0 else { return false }
    let identifier = g_signal_lookup(signal, type)
    guard identifier != 0 else { return false }
    let hook = g_signal_add_emission_hook(
      identifier, 0,
      { _, count, values, data in
        let callback = Unmanaged<Callback>.fromOpaque(data!).takeUnretainedValue()
        guard count == callback.argumentCount + 1, let values else { return 1 }
        callback.body(values)
        return 1
      }, Unmanaged.passRetained(callback).toOpaque(),
      { Unmanaged<Callback>.fromOpaque($0!).release() })
    return hook != 0
  }

  /// Emits a signal without arguments or result.
  public static func emit(_ signal: String, on object: some CPointer) {
    let type = object.cast(to: GTypeInstance.self).pointee.g_class.pointee.g_type
    let identifier = g_signal_lookup(signal, type)
    guard identifier != 0 else { return }
    var instance = GValue()
    g_value_init(&instance, type)
    g_value_set_object(&instance, object.raw)
    g_signal_emitv(&instance, identifier, 0, nil)
    g_value_unset(&instance)
  }
}
