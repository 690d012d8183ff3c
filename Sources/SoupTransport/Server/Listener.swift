import CSoup
import GLibBridge
import Glibc

/// One listening socket.
@TransportActor
final class Listener {
  let bound: BoundAddress
  private let socket: UnsafeMutablePointer<GSocket>
  private let accept: @TransportActor (UnsafeMutablePointer<GSocket>, _ isUnix: Bool) -> Void
  private let isUnix: Bool
  private var watch: LoopSource?

  /// - Parameter accept: gets a reference to each accepted socket.
  init(
    _ address: ListenAddress, isSecure: Bool,
    accept: @escaping @TransportActor (UnsafeMutablePointer<GSocket>, _ isUnix: Bool) -> Void
  ) throws {
    socket = try SocketAddress.listen(on: address)
    self.accept = accept
    switch address {
    case .unix:
      isUnix = true
      bound = BoundAddress(address: address, isSecure: false)
    case .tcp(let host, _):
      isUnix = false
      bound = BoundAddress(
        address: .tcp(host: host, port: try SocketAddress.port(of: socket)), isSecure: isSecure)
    }
    resumeIfPaused()
  }

  /// After accepting failed: no descriptor was left, and the waiting client would wake the loop for ever.
  func resumeIfPaused() {
    guard watch == nil else { return }
    watch = LoopSource.descriptor(g_socket_get_fd(socket), .readable) { [unowned self] _ in
      TransportActor.assumeIsolated { acceptSome() }
    }
  }

  /// False when accepting has to pause.
  private func acceptSome() -> Bool {
    for _ in 0..<64 {
      do {
        guard let accepted = try throwing({ g_socket_accept(socket, nil, &$0) }) else { return true }
        accept(accepted, isUnix)
      } catch  where error.isIO(G_IO_ERROR_WOULD_BLOCK) {
        return true
      } catch {
        // A client that left again is no reason to pause, but one turn later does no harm either.
        watch = nil
        return false
      }
    }
    return true
  }

  func close() {
    watch = nil
    g_socket_close(socket, nil)
    if case .unix(let path) = bound.address { unlink(path) }
    g_object_unref(socket)
  }
}
