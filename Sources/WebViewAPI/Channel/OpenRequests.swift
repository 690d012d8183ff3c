import Synchronization
import WebViewCore

/// The requests of one channel that were not answered yet: each is answered exactly once.
final class OpenRequests: Sendable {
  struct Ticket: Sendable, Hashable { let number: Int }
  private struct Entry {
    var id: JSONValue?
    var task: Task<Void, Never>?
  }
  private struct State {
    var entries: [Ticket: Entry] = [:]
    var next = 0
    var isClosed = false
  }
  private let state = Mutex(State())

  var count: Int { state.withLock { $0.entries.count } }

  /// Throws `queueFull` above `limit`, `invalidArgument` when the id is still open.
  func open(id: JSONValue?, limit: Int) throws(ServiceError) -> Ticket {
    let result: Result<Ticket, ServiceError> = state.withLock { state in
      if state.entries.count >= limit {
        return .failure(
          ServiceError(
            .queueFull, "\(limit) requests are open on this channel: wait for answers.",
            details: [
              "running": JSONValue(state.entries.count), "queued": 0, "limit": JSONValue(limit),
            ]))
      }
      if let id, state.entries.values.contains(where: { $0.id == id }) {
        return .failure(
          ServiceError(
            .invalidArgument, "A request with this id is still open: choose another.",
            details: ["pointer": "/id"]))
      }
      state.next += 1
      state.entries[Ticket(number: state.next)] = Entry(id: id)
      return .success(Ticket(number: state.next))
    }
    return try result.get()
  }

  /// Keeps the task to be cancelled; it is at once when the channel closed meanwhile.
  func attach(_ task: Task<Void, Never>, to ticket: Ticket) {
    let isClosed = state.withLock { state in
      state.entries[ticket]?.task = task
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// True for the one who may answer. The task goes on.
  func settle(_ ticket: Ticket) -> Bool {
    state.withLock { $0.entries.removeValue(forKey: ticket) != nil }
  }

  /// The ticket of an open id, for `cancel`.
  func ticket(of id: JSONValue) -> Ticket? {
    state.withLock { state in state.entries.first { $0.value.id == id }?.key }
  }

  /// Settles and cancels; false when it was settled before.
  func cancel(_ ticket: Ticket) -> Bool {
    let entry = state.withLock { $0.entries.removeValue(forKey: ticket) }
    entry?.task?.cancel()
    return entry != nil
  }

  func cancelAll() {
    let tasks = state.withLock { state in
      defer { state.entries = [:] }
      state.isClosed = true
      return state.entries.values.compactMap(\.task)
    }
    for task in tasks { task.cancel() }
  }
}
