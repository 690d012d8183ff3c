import HTTPModel
import Synchronization
import WebViewCore

/// Everything that goes out on one channel, in the order of calls, with the rules for slow readers.
final class ChannelOutbox: Sendable {
  /// Unread bytes from which on `stateChange` events are left out.
  static let softLimit = 1 << 20
  /// Unread bytes from which on the channel is ended.
  static let hardLimit = 8 << 20
  /// The same for all there is, large messages included.
  static let totalLimit = 256 << 20

  private struct State {
    var connection: (any WebSocketConnection)?
    var isClosed = false
    var messages = 0
    var handed = 0
    /// Large answers and questions: what is unread of them is not slowness.
    var allowances: [(end: Int, size: Int)] = []
    var dropped: ClosedRange<Int>?
  }
  private let state = Mutex(State())

  func open(_ connection: any WebSocketConnection) {
    state.withLock { $0.connection = connection }
    connection.onDrain { [weak self] in self?.flushGap() }
  }

  /// How many messages went out; tells an idle channel.
  var messageCount: Int { state.withLock { $0.messages } }

  /// - Parameter mayBeLarge: for what the reader asked for; events are to be small, or its fault.
  func send(_ object: JSONObject, mayBeLarge: Bool = false) {
    guard !isTooSlow() else { return }
    let text = JSONWriter.text(.object(object))
    let size = text.utf8.count
    state.withLock { state in
      guard !state.isClosed, let connection = state.connection else { return }
      state.messages += 1
      state.handed += size
      if mayBeLarge, size > Self.softLimit / 4 { state.allowances.append((state.handed, size)) }
      // Within the lock: two threads must not change places between deciding and sending.
      connection.send(.text(text))
    }
  }

  func send(_ entry: JournalEntry) {
    guard prepare(for: entry) else { return }
    flushGap()
    var object = EventJSON.entry(entry)
    object = JSONObject(members: [.init(name: "type", value: "event")] + object.members)
    send(object)
  }

  /// True when the channel is ended: one who asks on without reading must not fill the memory.
  private func isTooSlow() -> Bool {
    let unread = unreadBytes()
    guard unread.events > Self.hardLimit || unread.all > Self.totalLimit else { return false }
    close(code: 1013, reason: "the reader is too slow")
    return true
  }

  /// False when the event is not to be sent.
  private func prepare(for entry: JournalEntry) -> Bool {
    guard !isTooSlow() else { return false }
    guard entry.event.type == .stateChange, unreadBytes().events > Self.softLimit else { return true }
    state.withLock { state in
      state.dropped = min(state.dropped?.lowerBound ?? entry.sequence, entry.sequence)...entry.sequence
    }
    return false
  }

  /// `events` leaves the large messages out.
  private func unreadBytes() -> (events: Int, all: Int) {
    guard let connection = state.withLock({ $0.connection }) else { return (0, 0) }
    let buffered = connection.bufferedAmount
    return state.withLock { state in
      let read = state.handed - buffered
      state.allowances.removeAll { $0.end <= read }
      let large = state.allowances.reduce(0) { $0 + min($1.size, $1.end - max(0, read)) }
      return (buffered - large, buffered)
    }
  }

  private func flushGap() {
    let gap = state.withLock { state in
      defer { state.dropped = nil }
      return state.dropped
    }
    guard let gap else { return }
    send(JSONObject(members: [.init(name: "type", value: "gap")] + EventJSON.gap(gap).members))
  }

  func close(code: Int, reason: String) {
    let connection = state.withLock { state -> (any WebSocketConnection)? in
      if state.isClosed { return nil }
      state.isClosed = true
      return state.connection
    }
    connection?.close(code: code, reason: reason)
  }

  /// The peer is gone: nothing more can be sent, and the connection is let go.
  func end() {
    state.withLock { state in
      state.isClosed = true
      state.connection = nil
    }
  }
}
