/// Suspended callers: each is resumed once, by its result, by a failure, at its deadline or when its task is
/// cancelled.
@PageActor
final class Waits<ID: Hashable & Sendable> {
  private struct Wait {
    let fail: (any Error) -> Void
    let timer: Timers.ID
  }
  private let timers: Timers
  private var waits: [ID: Wait] = [:]
  /// What failed before its caller was suspended: between asking and waiting the actor may run others.
  private var early: [ID: any Error] = [:]

  init(timers: Timers) { self.timers = timers }

  /// - Parameters:
  ///   - expired: what the caller is told at the deadline; also the place to note it.
  ///   - withdrawn: the caller left.
  ///   - start: gets what resumes the caller; later calls of it have no effect.
  func wait<Value: Sendable>(
    _ id: ID, deadline: Deadline, expired: @escaping @PageActor () -> ServiceError,
    withdrawn: @escaping @PageActor () -> Void,
    start: @PageActor (@escaping @PageActor (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        if let error = early.removeValue(forKey: id) { return continuation.resume(throwing: error) }
        if Task.isCancelled {
          withdrawn()
          return continuation.resume(throwing: CancellationError())
        }
        let timer = timers.at(deadline) { [weak self] in
          guard let self, waits[id] != nil else { return }
          fail(id, expired())
        }
        waits[id] = Wait(fail: { continuation.resume(throwing: $0) }, timer: timer)
        start { [self] result in
          guard let wait = waits.removeValue(forKey: id) else { return }
          timers.cancel(wait.timer)
          continuation.resume(with: result)
        }
      }
    } onCancel: {
      Task { @PageActor in
        guard self.waits[id] != nil else { return }
        withdrawn()
        self.fail(id, CancellationError())
      }
    }
  }

  /// Each id that is failed is waited for, now or soon.
  func fail(_ id: ID, _ error: any Error) {
    guard let wait = waits.removeValue(forKey: id) else {
      early[id] = error
      return
    }
    timers.cancel(wait.timer)
    wait.fail(error)
  }
}

/// The value of `work`, or `timeout` at the deadline; the work is cancelled then.
@PageActor
func withDeadline<Value: Sendable>(
  _ deadline: Deadline, timers: Timers, _ work: @escaping @PageActor () async throws -> Value
) async throws -> Value {
  let waits = Waits<Int>(timers: timers)
  var task: Task<Void, Never>?
  defer { task?.cancel() }
  return try await waits.wait(
    0, deadline: deadline,
    expired: { ServiceError(.timeout, "Not done within \(deadline.text).") },
    withdrawn: {},
    start: { resume in
      task = Task {
        do { resume(.success(try await work())) } catch { resume(.failure(error)) }
      }
    })
}
