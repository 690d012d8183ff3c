import Synchronization

/// Something that happens once and that one task waits for; cancelling the task ends the wait as well.
final class OneShot: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case fired
  }
  private let state = Mutex(State.idle)

  func fire() {
    let before = state.withLock { state in
      let before = state
      state = .fired
      return before
    }
    if case .waiting(let continuation) = before { continuation.resume() }
  }

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFired = state.withLock {
          if case .fired = $0 { return true }
          $0 = .waiting(continuation)
          return false
        }
        if isFired { continuation.resume() }
      }
    } onCancel: {
      fire()
    }
  }
}
