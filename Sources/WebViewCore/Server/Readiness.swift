import Synchronization

/// Whether new work is taken; read by probes without touching the page actor.
public final class Readiness: Sendable {
  public enum State: String, Sendable { case starting, ready, draining }
  private let current = Mutex(State.starting)
  public init() {}
  public var state: State { current.withLock { $0 } }
  public func become(_ state: State) { current.withLock { $0 = state } }
}
