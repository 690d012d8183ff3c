import CSoup
import GLibBridge

/// The client's side of TLS over a connected socket, blocking.
///
/// It takes any certificate: for questions that hold no secret, at an address that the server's certificate
/// need not name.
public final class TLSClient {
  private let stream: UnsafeMutablePointer<GIOStream>

  /// Takes over the descriptor, and shakes hands; each wait for the server ends after `timeout` seconds.
  public init(owning descriptor: Int32, timeout: Int) throws(GLibError) {
    let socket = try throwing { g_socket_new_from_fd(descriptor, &$0) }!
    g_socket_set_timeout(socket, UInt32(timeout))
    let base = g_socket_connection_factory_create_connection(socket)!
    g_object_unref(socket)
    defer { g_object_unref(base) }
    stream = try throwing { g_tls_client_connection_new(base.cast(), nil, &$0) }!
    onSignal(stream, "accept-certificate") { (_: OpaquePointer, _: OpaquePointer, _: UInt32) -> Bool in true }
    try throwing { g_tls_connection_handshake(stream.cast(), nil, &$0) }
  }

  deinit { g_object_unref(stream) }

  public func write(_ bytes: [UInt8]) throws(GLibError) {
    try throwing {
      g_output_stream_write_all(
        g_io_stream_get_output_stream(stream), bytes, gsize(bytes.count), nil, nil, &$0)
    }
  }

  /// What is there next; empty at the end.
  public func read() throws(GLibError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = try throwing {
      g_input_stream_read(g_io_stream_get_input_stream(stream), &buffer, gsize(buffer.count), nil, &$0)
    }
    return Array(buffer[..<count])
  }
}
