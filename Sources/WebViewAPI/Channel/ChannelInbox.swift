import Synchronization

/// Reads the messages of one channel, in order. Small ones at once, on the transport's thread; a large one is
/// parsed elsewhere, and what follows it waits for it.
final class ChannelInbox: Sendable {
  typealias Taken = @Sendable (Result<ChannelMessage, ChannelMessage.Problem>) -> Void

  /// Bytes that may wait.
  static let limit = 64 << 20

  private struct State {
    var bytes = 0
    var count = 0
    var last: Task<Void, Never>?
  }
  private let state = Mutex(State())

  /// Called by one thread at a time. False when too much waits.
  func take(_ text: String, then: @escaping Taken) -> Bool {
    let size = text.utf8.count
    let mustWait = state.withLock { state in
      guard state.count > 0 || size >= OffLoop.threshold else { return false }
      state.count += 1
      state.bytes += size
      return true
    }
    guard mustWait else {
      then(Self.decode(text))
      return true
    }
    return state.withLock { state in
      guard state.bytes <= Self.limit || state.count == 1 else { return false }
      let before = state.last
      state.last = Task { [self] in
        await before?.value
        then(Self.decode(text))
        self.state.withLock {
          $0.count -= 1
          $0.bytes -= size
          if $0.count == 0 { $0.last = nil }
        }
      }
      return true
    }
  }

  private static func decode(_ text: String) -> Result<ChannelMessage, ChannelMessage.Problem> {
    do throws(ChannelMessage.Problem) { return .success(try ChannelMessage.decode(text)) } catch {
      return .failure(error)
    }
  }
}
