import CSoup
import GLibBridge

/// The server's side of a TLS handshake, before libsoup sees the connection.
enum TLSHandshake {
  private final class Waiting {
    let stream: UnsafeMutablePointer<GIOStream>
    let done: @TransportActor (UnsafeMutablePointer<GIOStream>?) -> Void
    /// Keeps the socket open.
    let connection: ClientConnection

    init(
      _ stream: UnsafeMutablePointer<GIOStream>, _ connection: ClientConnection,
      _ done: @escaping @TransportActor (UnsafeMutablePointer<GIOStream>?) -> Void
    ) {
      self.stream = stream
      self.connection = connection
      self.done = done
    }
  }

  /// Takes over the reference to `base`; hands over one to the encrypted stream, or nil. The connection's
  /// deadline for headers covers the handshake.
  @TransportActor
  static func start(
    over base: UnsafeMutablePointer<GIOStream>, certificate: UnsafeMutablePointer<GTlsCertificate>,
    _ connection: ClientConnection,
    _ done: @escaping @TransportActor (UnsafeMutablePointer<GIOStream>?) -> Void
  ) {
    defer { g_object_unref(base) }
    guard let stream = g_tls_server_connection_new(base, certificate, nil) else { return done(nil) }
    let tls = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GTlsConnection.self)
    // Browsers close without saying so.
    g_tls_connection_set_require_close_notify(tls, 0)
    let waiting = Waiting(stream, connection, done)
    g_tls_connection_handshake_async(
      tls, G_PRIORITY_DEFAULT, nil,
      { source, result, data in
        let waiting = OneThread(Unmanaged<Waiting>.fromOpaque(data!).takeRetainedValue())
        let tls = UnsafeMutableRawPointer(source!).assumingMemoryBound(to: GTlsConnection.self)
        let isDone = g_tls_connection_handshake_finish(tls, result, nil) != 0
        TransportActor.assumeIsolated {
          let stream = waiting.value.stream
          if !isDone {
            g_io_stream_close(stream, nil, nil)
            g_object_unref(stream)
          }
          waiting.value.done(isDone ? stream : nil)
        }
      }, Unmanaged.passRetained(waiting).toOpaque())
  }
}
