import CGLib

/// Any C pointer to a GObject instance: `UnsafeMutablePointer<GtkWidget>`, or `OpaquePointer` for final types.
public protocol CPointer { var raw: UnsafeMutableRawPointer { get } }

extension UnsafeMutablePointer: CPointer {
  public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer: CPointer {
  public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension CPointer {
  /// The C cast macro (`GTK_CONTAINER(x)`): the parameter's type picks the target.
  @inlinable public func cast<T>(to: T.Type = T.self) -> UnsafeMutablePointer<T> {
    raw.assumingMemoryBound(to: T.self)
  }
}

/// Carries a non-Sendable value over a border that is known to stay on one thread.
// Safe because every use wraps and unwraps on the thread of one main context.
public struct OneThread<Value>: @unchecked Sendable {
  public let value: Value
  public init(_ value: Value) { self.value = value }
}
