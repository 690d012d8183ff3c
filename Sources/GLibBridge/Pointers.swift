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

/// An owned reference to a GObject; its last release happens on the loop it belongs to.
// Safe because the pointer never changes and reference counting is atomic; `deinit` hops to the loop.
public final class ObjectReference<Pointer: CPointer>: @unchecked Sendable {
  public let pointer: Pointer
  private let loop: LoopExecutor

  public init(owning pointer: Pointer, on loop: LoopExecutor) {
    self.pointer = pointer
    self.loop = loop
  }
  public init(retaining pointer: Pointer, on loop: LoopExecutor) {
    g_object_ref(pointer.raw)
    self.pointer = pointer
    self.loop = loop
  }
  public init(sinking pointer: Pointer, on loop: LoopExecutor) {
    g_object_ref_sink(pointer.raw)
    self.pointer = pointer
    self.loop = loop
  }

  deinit {
    // The last Swift reference may die on any thread; GTK, WebKit and soup objects may not.
    if loop.isCurrent {
      g_object_unref(pointer.raw)
    } else {
      let object = OneThread(pointer.raw)
      loop.later { g_object_unref(object.value) }
    }
  }
}
