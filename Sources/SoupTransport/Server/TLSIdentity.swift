import CSoup
import GLibBridge
import Glibc

/// A certificate, with those that vouch for it, and its private key: PEM files.
public struct TLSIdentity: Sendable, Equatable {
  public var certificateFile: String
  public var keyFile: String

  public init(certificateFile: String, keyFile: String) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
  }

  /// Throws when the files cannot be read, do not hold what they should, or do not belong together. Blocks for
  /// as long as a handshake takes.
  public func check() throws(GLibError) {
    let certificate = try load()
    defer { g_object_unref(certificate) }
    // GIO does not compare the two; a client does, which is why this shakes hands with one.
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0,
      let socket = g_socket_new_from_fd(ends[0], nil)
    else { return }
    let base = g_socket_connection_factory_create_connection(socket)!
    g_object_unref(socket)
    let server = try throwing { g_tls_server_connection_new(base.cast(), certificate, &$0) }
    g_object_unref(base)
    let thread = g_thread_new(
      "tls-check",
      { server in
        g_tls_connection_handshake(server!.assumingMemoryBound(to: GTlsConnection.self), nil, nil)
        g_object_unref(server)
        return nil
      }, server)
    defer { g_thread_join(thread) }
    _ = try TLSClient(owning: ends[1], timeout: 5)
  }

  /// An owned certificate.
  func load() throws(GLibError) -> UnsafeMutablePointer<GTlsCertificate> {
    // Where there is no error there is a certificate.
    try throwing { g_tls_certificate_new_from_files(certificateFile, keyFile, &$0) }!
  }
}
