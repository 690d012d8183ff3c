import CSoup
import GLibBridge
import Glibc

/// Writes what is left to a connection, ends it, and throws away what still comes for a while: closing with
/// unread bytes would reset the connection, and the client might never see the answer.
@TransportActor
final class LingeringClose: ConnectionOwner {
  private let connection: ClientConnection
  /// Owned.
  private let stream: UnsafeMutablePointer<GIOStream>
  private var output: [UInt8]
  private var written = 0
  private var watch: LoopSource?
  private let deadline: Int64
  private var isOver = false

  /// Takes over the reference to `stream`; runs on its own until it closed the connection.
  @discardableResult
  init(
    _ connection: ClientConnection, owning stream: UnsafeMutablePointer<GIOStream>, sending output: [UInt8]
  ) {
    self.connection = connection
    self.stream = stream
    self.output = output
    deadline = Clock.now + connection.server.timing.linger
    connection.enter(.handedOver(self))
    write()
  }

  func tick(_ now: Int64) {
    if now >= deadline { forceClose() }
  }

  func drain() {}

  func forceClose() {
    guard !isOver else { return }
    isOver = true
    watch = nil
    g_io_stream_close(stream, nil, nil)
    g_object_unref(stream)
    connection.closed()
  }

  private func write() {
    let target = OpaquePointer(g_io_stream_get_output_stream(stream)!)
    while written < output.count {
      let result = output.withUnsafeBytes { bytes in
        NonblockingStream.write(target, UnsafeRawBufferPointer(rebasing: bytes[written...]))
      }
      switch result {
      case .count(let count): written += count
      case .wouldBlock:
        watch = LoopSource.descriptor(connection.descriptor, .writable) { [self] _ in
          TransportActor.assumeIsolated { write() }
          return false
        }
        return
      case .failed: return forceClose()
      }
    }
    output = []
    _ = shutdown(connection.descriptor, Int32(SHUT_WR))
    discard()
    guard !isOver else { return }
    watch = LoopSource.descriptor(connection.descriptor, .readable) { [self] _ in
      TransportActor.assumeIsolated {
        discard()
        return !isOver
      }
    }
  }

  /// At most a part per turn of the loop: the others get theirs.
  private func discard() {
    withUnsafeTemporaryAllocation(byteCount: 128 << 10, alignment: 16) { buffer in
      for _ in 0..<8 {
        let count = recv(connection.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { continue }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        return forceClose()
      }
    }
  }
}
