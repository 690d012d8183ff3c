import HTTPModel
import Synchronization

/// What is to be sent on a WebSocket: filled from any thread, emptied by the transport's.
final class WebSocketOutbox: Sendable {
  enum Item: Sendable {
    case message(WebSocketMessage)
    case close(code: Int, reason: String)

    var count: Int {
      switch self {
      case .message(.text(let text)): text.utf8.count
      case .message(.binary(let bytes)): bytes.count
      case .close: 0
      }
    }
  }

  private struct State {
    var items: [Item] = []
    var head = 0
    var queued = 0
    var unsent = 0
    var isFlushDue = false
    var isOver = false
    /// When close was called; a peer that reads nothing must not hold it up for ever.
    var closeCalled: Int64?
    var drainHandlers: [@Sendable () -> Void] = []
  }

  /// From `close` to the close frame being on its way, behind what was sent before.
  private static let closeLimit: Int64 = 10_000_000

  private let state = Mutex(State())

  /// True when a flush has to be arranged. After a close nothing is taken.
  func put(_ item: Item) -> Bool {
    state.withLock { state in
      guard !state.isOver, state.closeCalled == nil else { return false }
      if case .close = item { state.closeCalled = Clock.now }
      state.items.append(item)
      state.queued += item.count
      defer { state.isFlushDue = true }
      return !state.isFlushDue
    }
  }

  func beginFlush() { state.withLock { $0.isFlushDue = false } }

  func take() -> Item? {
    state.withLock { state in
      guard state.head < state.items.count else { return nil }
      let item = state.items[state.head]
      state.head += 1
      state.queued -= item.count
      state.unsent += item.count
      if state.head == state.items.count {
        state.items.removeAll(keepingCapacity: state.head <= 1024)
        state.head = 0
      } else if state.head >= 256 {
        // Keeps neither what was sent alive nor the cost of dropping it high.
        state.items.removeFirst(state.head)
        state.head = 0
      }
      return item
    }
  }

  /// Calls the drain handlers when nothing is left.
  func wrote(unsent: Int) {
    let handlers: [@Sendable () -> Void] = state.withLock { state in
      let had = state.unsent > 0
      state.unsent = unsent
      return had && unsent == 0 && state.queued == 0 ? state.drainHandlers : []
    }
    for handler in handlers { handler() }
  }

  var bytes: Int { state.withLock { $0.queued + $0.unsent } }

  func onDrain(_ body: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isOver { $0.drainHandlers.append(body) } }
  }

  func closeIsOverdue(_ now: Int64) -> Bool {
    state.withLock { state in state.closeCalled.map { now - $0 > Self.closeLimit } ?? false }
  }

  /// Nothing will be sent any more; lets go of everything.
  func end() {
    state.withLock { state in
      state = State()
      state.isOver = true
    }
  }
}
