/// Where a page is in its life, and what waits for its first document: opening, then open, without a process
/// and open again as often as it happens, at last closed.
///
/// Pure: each event gives what is to begin now, in this order. Everything that was held is given back exactly
/// once, unless it is a load that a newer one, a stop or the end took the place of.
struct PagePhase<Held> {
  private enum State {
    /// The blank document is on its way: what ran before it would end with the view's very first document.
    case opening(calls: [Held], load: Held?)
    case open
    /// Until a load starts the next process.
    case processGone
    case closed
  }

  enum ProcessEnd {
    /// Nobody had seen the page yet: nobody is told, and what was held begins.
    case unseen([Held])
    case seen
  }

  private var state = State.opening(calls: [], load: nil)
  /// Counts the processes that ended.
  private(set) var processGeneration = 0

  /// The blank document is behind: what WebKit tells is of a client's documents.
  var isReady: Bool {
    switch state {
    case .open, .processGone: true
    case .opening, .closed: false
    }
  }

  var hasProcess: Bool {
    switch state {
    case .opening, .open: true
    case .processGone, .closed: false
    }
  }

  var needsProcess: Bool { if case .processGone = state { true } else { false } }
  var isClosed: Bool { if case .closed = state { true } else { false } }

  // MARK: Asked for

  /// False: the call is to begin at once.
  mutating func hold(call: Held) -> Bool {
    guard case .opening(let calls, let load) = state else { return false }
    state = .opening(calls: calls + [call], load: load)
    return true
  }

  /// False: the load is to begin at once. The newest one counts.
  mutating func hold(load: Held) -> Bool {
    guard case .opening(let calls, _) = state else { return false }
    state = .opening(calls: calls, load: load)
    return true
  }

  mutating func dropLoad() {
    guard case .opening(let calls, _) = state else { return }
    state = .opening(calls: calls, load: nil)
  }

  // MARK: Happened

  /// The blank document is there, or will not come.
  mutating func opened() -> [Held] {
    guard case .opening(let calls, let load) = state else { return [] }
    state = .open
    return load.map { calls + [$0] } ?? calls
  }

  mutating func processStarted() {
    if case .processGone = state { state = .open }
  }

  /// nil: the page was closed.
  mutating func processEnded() -> ProcessEnd? {
    guard !isClosed else { return nil }
    let end = isReady ? ProcessEnd.seen : .unseen(opened())
    state = .processGone
    processGeneration += 1
    return end
  }

  /// Gives the calls that were held, which are to be refused; nil when it was closed before.
  mutating func close() -> [Held]? {
    switch state {
    case .closed: return nil
    case .opening(let calls, _):
      state = .closed
      return calls
    case .open, .processGone:
      state = .closed
      return []
    }
  }
}
