import CSoup
import GLibBridge
import Glibc

/// The server's side of a TLS handshake, before libsoup sees the connection, whose deadline for headers covers it.
///
/// GIO shakes hands in a thread of a small pool, which the client's silence would block and which other parts of
/// the program need too: only a client that has said the whole of its first record gets there.
@TransportActor
final class TLSHandshake {
  private static let headerLength = 5
  private static let handshakeRecord: UInt8 = 22
  private static let longestRecord = 1 << 14

  private let connection: ClientConnection
  /// Owned.
  private let certificate: UnsafeMutablePointer<GTlsCertificate>
  private let done: @TransportActor (UnsafeMutablePointer<GIOStream>) -> Void
  /// Owned by whoever has its turn: the socket's stream, then the encrypted one.
  private var stream: UnsafeMutablePointer<GIOStream>
  private var awaited = 0
  private var watch: LoopSource?

  /// Takes over the reference to `base`, and keeps itself; hands over one to the encrypted stream, or ends the
  /// connection.
  @discardableResult
  init(
    over base: UnsafeMutablePointer<GIOStream>, certificate: UnsafeMutablePointer<GTlsCertificate>,
    _ connection: ClientConnection,
    _ done: @escaping @TransportActor (UnsafeMutablePointer<GIOStream>) -> Void
  ) {
    stream = base
    self.certificate = certificate
    g_object_ref(certificate)
    self.connection = connection
    self.done = done
    wait(for: Self.headerLength)
    watch = LoopSource.descriptor(connection.descriptor, .readable) { [self] _ in
      TransportActor.assumeIsolated { look() }
    }
  }

  isolated deinit { g_object_unref(certificate) }

  /// The socket polls as readable when this much is there, or will not come.
  private func wait(for count: Int) {
    awaited = count
    setLowWater(count)
  }

  private func setLowWater(_ count: Int) {
    var value = Int32(count)
    setsockopt(
      connection.descriptor, SOL_SOCKET, SO_RCVLOWAT, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// False when the wait is over.
  private func look() -> Bool {
    var bytes = [UInt8](repeating: 0, count: awaited)
    let count = recv(connection.descriptor, &bytes, awaited, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    let length = Int(bytes[3]) << 8 | Int(bytes[4])
    let isHello = count == awaited && bytes[0] == Self.handshakeRecord
    if isHello, awaited == Self.headerLength, (1...Self.longestRecord).contains(length) {
      wait(for: Self.headerLength + length)
      return true
    }
    watch = nil
    if isHello, awaited > Self.headerLength { shakeHands() } else { end() }
    return false
  }

  private func shakeHands() {
    setLowWater(1)
    let base = stream
    guard let encrypted = g_tls_server_connection_new(base, certificate, nil) else { return end() }
    stream = encrypted
    g_object_unref(base)
    let tls: UnsafeMutablePointer<GTlsConnection> = encrypted.cast()
    // Browsers close without saying so.
    g_tls_connection_set_require_close_notify(tls, 0)
    g_tls_connection_handshake_async(
      tls, G_PRIORITY_DEFAULT, nil,
      { source, result, data in
        let handshake = OneThread(Unmanaged<TLSHandshake>.fromOpaque(data!).takeRetainedValue())
        let tls: UnsafeMutablePointer<GTlsConnection> = source!.cast()
        // The two before 1.2 are no longer to be spoken (RFC 8996); GIO would.
        let isDone =
          g_tls_connection_handshake_finish(tls, result, nil) != 0
          && g_tls_connection_get_protocol_version(tls).rawValue >= G_TLS_PROTOCOL_VERSION_TLS_1_2.rawValue
        TransportActor.assumeIsolated { handshake.value.ended(isDone) }
      }, Unmanaged.passRetained(self).toOpaque())
  }

  private func ended(_ isDone: Bool) {
    if isDone { done(stream) } else { end() }
  }

  /// Who speaks plain HTTP has sent more than was read: it is to hear the end, not a reset.
  private func end() { LingeringClose(connection, owning: stream, sending: []) }
}
