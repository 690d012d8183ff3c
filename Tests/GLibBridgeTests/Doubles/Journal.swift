import Synchronization

/// What happened, in order, whichever thread tells it.
final class Journal<Entry: Sendable>: Sendable {
  private let list = Mutex<[Entry]>([])
  func add(_ entry: Entry) { list.withLock { $0.append(entry) } }
  var entries: [Entry] { list.withLock { $0 } }
}
