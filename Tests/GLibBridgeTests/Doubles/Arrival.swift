import Dispatch
import Synchronization

/// A value that comes once, from whichever thread. Whoever waits for it gives up after 20 s.
final class Arrival<Value: Sendable>: Sendable {
  struct Overdue: Error {}

  private let semaphore = DispatchSemaphore(value: 0)
  private let arrived = Mutex<Value?>(nil)

  func send(_ value: Value) {
    arrived.withLock { $0 = value }
    semaphore.signal()
  }

  /// Blocks: for threads that nobody else needs meanwhile.
  func wait() throws -> Value {
    guard semaphore.wait(timeout: .now() + 20) == .success, let value = arrived.withLock({ $0 })
    else { throw Overdue() }
    semaphore.signal()
    return value
  }

  var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try self.wait() }) }
      }
    }
  }
}

extension Arrival where Value == Void {
  func send() { send(()) }
}

/// Captured by a closure, it tells when that closure is freed.
final class Token: Sendable {
  private let gone: Arrival<Void>
  init(_ gone: Arrival<Void>) { self.gone = gone }
  deinit { gone.send() }
  /// Where a closure has to mention it.
  func hold() {}
}
