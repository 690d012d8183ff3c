import CGLib

/// A signal argument as Swift sees it.
public protocol GValueReadable { init(gvalue: UnsafePointer<GValue>) }
/// A signal's return value.
public protocol GValueWritable { func store(into value: UnsafeMutablePointer<GValue>) }

/// GLib's fundamental types, macros that Swift does not import (`G_TYPE_MAKE_FUNDAMENTAL`).
private enum Fundamental {
  static let enumeration: GType = 12 << 2
  static let flags: GType = 13 << 2
  static let pointer: GType = 17 << 2
  static let boxed: GType = 18 << 2
  static let parameterSpecification: GType = 19 << 2
}

extension String: GValueReadable {
  public init(gvalue: UnsafePointer<GValue>) {
    self = g_value_get_string(gvalue).map { String(cString: $0) } ?? ""
  }
}

extension Bool: GValueReadable, GValueWritable {
  public init(gvalue: UnsafePointer<GValue>) { self = g_value_get_boolean(gvalue) != 0 }
  public func store(into value: UnsafeMutablePointer<GValue>) { g_value_set_boolean(value, self ? 1 : 0) }
}

extension Int32: GValueReadable {
  public init(gvalue: UnsafePointer<GValue>) { self = g_value_get_int(gvalue) }
}

extension Double: GValueReadable {
  public init(gvalue: UnsafePointer<GValue>) { self = g_value_get_double(gvalue) }
}

extension UInt32: GValueReadable {
  /// Enumerations and flags too.
  public init(gvalue: UnsafePointer<GValue>) {
    switch g_type_fundamental(gvalue.pointee.g_type) {
    case Fundamental.enumeration: self = UInt32(bitPattern: g_value_get_enum(gvalue))
    case Fundamental.flags: self = g_value_get_flags(gvalue)
    default: self = g_value_get_uint(gvalue)
    }
  }
}

extension OpaquePointer: GValueReadable {
  public init(gvalue: UnsafePointer<GValue>) {
    switch g_type_fundamental(gvalue.pointee.g_type) {
    case Fundamental.boxed: self = OpaquePointer(g_value_get_boxed(gvalue)!)
    case Fundamental.pointer: self = OpaquePointer(g_value_get_pointer(gvalue)!)
    case Fundamental.parameterSpecification: self = OpaquePointer(g_value_get_param(gvalue)!)
    default: self = OpaquePointer(g_value_get_object(gvalue)!)
    }
  }
}

/// An object argument that may be NULL.
public struct OptionalPointer: GValueReadable {
  public let pointer: OpaquePointer?
  public init(gvalue: UnsafePointer<GValue>) {
    switch g_type_fundamental(gvalue.pointee.g_type) {
    case Fundamental.boxed: pointer = g_value_get_boxed(gvalue).map { OpaquePointer($0) }
    case Fundamental.pointer: pointer = g_value_get_pointer(gvalue).map { OpaquePointer($0) }
    case Fundamental.parameterSpecification: pointer = g_value_get_param(gvalue).map { OpaquePointer($0) }
    default: pointer = g_value_get_object(gvalue).map { OpaquePointer($0) }
    }
  }
}

extension UnsafeMutablePointer: GValueReadable {
  public init(gvalue: UnsafePointer<GValue>) { self = OpaquePointer(gvalue: gvalue).cast() }
}

extension Optional: GValueWritable where Wrapped == OpaquePointer {
  public func store(into value: UnsafeMutablePointer<GValue>) {
    g_value_set_object(value, map { UnsafeMutableRawPointer($0) })
  }
}

/// `onSignal(view, "load-changed") { (view: UnsafeMutablePointer<WebKitWebView>, event: UInt32) in … }`
///
/// The closure runs on the thread that emits; it lives until the object is finalized or the handler is
/// disconnected. A closure that holds its own object is a cycle: capture weakly.
@discardableResult
public func onSignal<each Argument: GValueReadable>(
  _ object: some CPointer, _ name: String, _ body: @escaping (repeat each Argument) -> Void
) -> gulong {
  connectClosure(object, name) { arguments, _ in
    var cursor = ArgumentCursor(next: arguments)
    body(repeat cursor.read((each Argument).self))
  }
}

/// The same for signals with a return value.
@discardableResult
public func onSignal<each Argument: GValueReadable, Result: GValueWritable>(
  _ object: some CPointer, _ name: String, _ body: @escaping (repeat each Argument) -> Result
) -> gulong {
  connectClosure(object, name) { arguments, result in
    var cursor = ArgumentCursor(next: arguments)
    let value = body(repeat cursor.read((each Argument).self))
    if let result { value.store(into: result) }
  }
}

private struct ArgumentCursor {
  var next: UnsafePointer<GValue>
  mutating func read<Argument: GValueReadable>(_: Argument.Type) -> Argument {
    defer { next += 1 }
    return Argument(gvalue: next)
  }
}

private typealias Marshal = (UnsafePointer<GValue>, UnsafeMutablePointer<GValue>?) -> Void

private final class Handler {
  let call: Marshal
  init(_ call: @escaping Marshal) { self.call = call }
}

private func connectClosure(_ object: some CPointer, _ name: String, _ call: @escaping Marshal) -> gulong {
  let data = Unmanaged.passRetained(Handler(call)).toOpaque()
  let closure = g_closure_new_simple(UInt32(MemoryLayout<GClosure>.size), data)!
  g_closure_add_finalize_notifier(closure, data) { data, _ in Unmanaged<Handler>.fromOpaque(data!).release() }
  g_closure_set_marshal(closure) { closure, result, _, parameters, _, _ in
    Unmanaged<Handler>.fromOpaque(closure!.pointee.data).takeUnretainedValue().call(parameters!, result)
  }
  return g_signal_connect_closure(object.raw, name, closure, 0)
}
