import CGLib
import Glibc

/// A `GSocketConnection` that shows the bytes as they are read, before whoever reads them sees them.
public enum TappedConnection {
  /// Where the bytes go; nil costs nothing.
  public final class Tap {
    public var onRead: ((UnsafeRawBufferPointer) -> Void)?
    public init() {}
  }

  /// The instance structs of the two classes: their parent's, and what is added.
  private struct Connection {
    var parent: GSocketConnection
    var input: UnsafeMutablePointer<GInputStream>?
    var tap: Unmanaged<Tap>?
  }
  private struct Input {
    var parent: GInputStream
    var base: UnsafeMutablePointer<GInputStream>?
    var tap: Unmanaged<Tap>?
  }

  /// An owned stream over the socket.
  public static func make(
    over socket: UnsafeMutablePointer<GSocket>, tap: Tap
  ) -> UnsafeMutablePointer<GIOStream> {
    let name = "socket".withCString { strdup($0) }
    defer { free(name) }
    var names: [UnsafePointer<CChar>?] = [UnsafePointer(name)]
    var values = [GValue()]
    g_value_init(&values[0], g_socket_get_type())
    g_value_set_object(&values[0], socket)
    defer { g_value_unset(&values[0]) }
    let object = UnsafeMutableRawPointer(g_object_new_with_properties(connectionType, 1, &names, values)!)
    object.assumingMemoryBound(to: Connection.self).pointee.tap = .passRetained(tap)
    return object.assumingMemoryBound(to: GIOStream.self)
  }

  private static let connectionType = g_type_register_static_simple(
    g_socket_connection_get_type(), "WebviewTappedConnection",
    UInt32(MemoryLayout<GSocketConnectionClass>.size),
    { classPointer, _ in
      let object = classPointer!.assumingMemoryBound(to: GObjectClass.self)
      TappedConnection.connectionParent = g_type_class_peek_parent(classPointer)
      object.pointee.finalize = { TappedConnection.finalizeConnection($0!) }
      classPointer!.assumingMemoryBound(to: GIOStreamClass.self).pointee.get_input_stream = {
        TappedConnection.input(of: $0!)
      }
    }, UInt32(MemoryLayout<Connection>.size), nil, GTypeFlags(rawValue: 0))

  private static let inputType: GType = {
    let type = g_type_register_static_simple(
      g_input_stream_get_type(), "WebviewTappedInput", UInt32(MemoryLayout<GInputStreamClass>.size),
      { classPointer, _ in
        TappedConnection.inputParent = g_type_class_peek_parent(classPointer)
        classPointer!.assumingMemoryBound(to: GObjectClass.self).pointee.finalize = {
          TappedConnection.finalizeInput($0!)
        }
        let stream = classPointer!.assumingMemoryBound(to: GInputStreamClass.self)
        stream.pointee.read_fn = { stream, buffer, count, cancellable, error in
          let input = TappedConnection.input(stream!)
          return TappedConnection.show(
            g_input_stream_read(input.pointee.base, buffer, count, cancellable, error), buffer, input)
        }
        stream.pointee.close_fn = { _, _, _ in 1 }
      }, UInt32(MemoryLayout<Input>.size), nil, GTypeFlags(rawValue: 0))
    var interface = GInterfaceInfo(
      interface_init: { table, _ in
        let pollable = table!.assumingMemoryBound(to: GPollableInputStreamInterface.self)
        pollable.pointee.can_poll = { _ in 1 }
        pollable.pointee.is_readable = {
          g_pollable_input_stream_is_readable(OpaquePointer(TappedConnection.input($0!).pointee.base!))
        }
        pollable.pointee.create_source = { stream, cancellable in
          // It names the base stream where a wrapper of its own would name this one; libsoup, whose
          // streams wrap it again, does not look, and a wrapper costs with every message.
          let base = OpaquePointer(TappedConnection.input(stream!).pointee.base!)
          return g_pollable_input_stream_create_source(base, cancellable)
        }
        pollable.pointee.read_nonblocking = { stream, buffer, count, error in
          let input = TappedConnection.input(stream!)
          let base = OpaquePointer(input.pointee.base!)
          return TappedConnection.show(
            g_pollable_input_stream_read_nonblocking(base, buffer, count, nil, error), buffer, input)
        }
      }, interface_finalize: nil, interface_data: nil)
    g_type_add_interface_static(type, g_pollable_input_stream_get_type(), &interface)
    return type
  }()

  // Safe because GLib sets up each class once, under its own lock, before an object of it exists.
  private nonisolated(unsafe) static var connectionParent: gpointer?
  // Safe for the same reason.
  private nonisolated(unsafe) static var inputParent: gpointer?

  private static func input(_ stream: OpaquePointer) -> UnsafeMutablePointer<Input> { stream.cast() }
  private static func input(_ stream: UnsafeMutablePointer<GInputStream>) -> UnsafeMutablePointer<Input> {
    stream.cast()
  }

  private static func show(
    _ count: gssize, _ buffer: UnsafeMutableRawPointer?, _ input: UnsafeMutablePointer<Input>
  ) -> gssize {
    if count > 0, let tap = input.pointee.tap?.takeUnretainedValue(), let onRead = tap.onRead {
      onRead(UnsafeRawBufferPointer(start: buffer, count: count))
    }
    return count
  }

  /// Made when it is first asked for, over the input of the class above.
  private static func input(of stream: UnsafeMutablePointer<GIOStream>) -> UnsafeMutablePointer<GInputStream>?
  {
    let connection: UnsafeMutablePointer<Connection> = stream.cast()
    if let input = connection.pointee.input { return input }
    let parent = connectionParent!.assumingMemoryBound(to: GIOStreamClass.self)
    guard let base = parent.pointee.get_input_stream(stream) else { return nil }
    let object = UnsafeMutableRawPointer(g_object_new_with_properties(inputType, 0, nil, nil)!)
    let input = object.assumingMemoryBound(to: Input.self)
    input.pointee.base = base
    g_object_ref(base)
    input.pointee.tap = connection.pointee.tap?.retain()
    connection.pointee.input = object.assumingMemoryBound(to: GInputStream.self)
    return connection.pointee.input
  }

  private static func finalizeConnection(_ object: UnsafeMutablePointer<GObject>) {
    let connection: UnsafeMutablePointer<Connection> = object.cast()
    if let input = connection.pointee.input { g_object_unref(input) }
    connection.pointee.tap?.release()
    connectionParent!.assumingMemoryBound(to: GObjectClass.self).pointee.finalize(object)
  }

  private static func finalizeInput(_ object: UnsafeMutablePointer<GObject>) {
    let input: UnsafeMutablePointer<Input> = object.cast()
    if let base = input.pointee.base { g_object_unref(base) }
    input.pointee.tap?.release()
    inputParent!.assumingMemoryBound(to: GObjectClass.self).pointee.finalize(object)
  }
}
