import Synchronization

/// All open channels, to be ended when the server stops.
final class ChannelRegistry: Sendable {
  let open = Mutex<[ObjectIdentifier: ChannelSession]>([:])

  func add(_ session: ChannelSession) { open.withLock { $0[ObjectIdentifier(session)] = session } }
  func remove(_ session: ChannelSession) {
    open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(session)) }
  }
  func closeAll(code: Int, reason: String) {
    for session in open.withLock({ Array($0.values) }) { session.outbox.close(code: code, reason: reason) }
  }
}
