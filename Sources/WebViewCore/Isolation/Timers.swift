/// Everything that is to happen later on the actor, with one sleeping task for all of it: a deadline that is
/// met costs a dictionary entry, not a task.
@PageActor
public final class Timers {
  public struct ID: Hashable, Sendable { let number: Int }
  private struct Timer {
    let due: Duration
    let body: @PageActor () -> Void
  }
  /// Since the first moment.
  let now: @Sendable () -> Duration
  private let sleep: @Sendable (_ until: Duration) async throws -> Void
  private var timers: [ID: Timer] = [:]
  private var count = 0
  private var sleeper: (task: Task<Void, Never>, due: Duration)?

  public nonisolated init(clock: any Clock<Duration>) {
    (now, sleep) = Self.functions(of: clock)
  }

  private nonisolated static func functions<C: Clock<Duration>>(
    of clock: C
  ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
    let start = clock.now
    return (
      { start.duration(to: clock.now) },
      { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    )
  }

  /// How many are still to fire.
  var pending: Int { timers.count }

  deinit { sleeper?.task.cancel() }

  /// Calls `body` once, unless it is cancelled before.
  public func after(_ delay: Duration, _ body: @escaping @PageActor () -> Void) -> ID {
    count += 1
    let id = ID(number: count)
    let due = now() + max(.zero, delay)
    timers[id] = Timer(due: due, body: body)
    if sleeper.map({ due < $0.due }) ?? true { sleepUntil(due) }
    return id
  }

  func at(_ deadline: Deadline, _ body: @escaping @PageActor () -> Void) -> ID {
    after(ContinuousClock.now.duration(to: deadline.instant), body)
  }

  /// Of one that has fired, or was cancelled: no effect.
  public func cancel(_ id: ID) { timers[id] = nil }

  private func sleepUntil(_ due: Duration) {
    sleeper?.task.cancel()
    let task = Task { [weak self, sleep] in
      do { try await sleep(due) } catch { return }
      self?.fire()
    }
    sleeper = (task, due)
  }

  private func fire() {
    guard !Task.isCancelled else { return }
    sleeper = nil
    let now = now()
    let due = timers.filter { $0.value.due <= now }.sorted {
      ($0.value.due, $0.key.number) < ($1.value.due, $1.key.number)
    }
    for (id, timer) in due where timers.removeValue(forKey: id) != nil { timer.body() }
    if sleeper == nil, let next = timers.values.map(\.due).min() { sleepUntil(next) }
  }
}
