/// The last events of each controller in the run's one order. Bounded by number and by size: what a controller's
/// part no longer holds is a gap for whoever asks from before it.
struct EventJournal: Sendable {
  private struct Part: Sendable {
    var entries: [JournalEntry] = []
    /// The last one that was dropped.
    var dropped = 0
    private var bytes = 0

    mutating func append(_ entry: JournalEntry, limit: Int, byteLimit: Int) {
      entries.append(entry)
      bytes += entry.event.roughSize
      // Dropped in blocks, so that an append costs no move of the rest.
      if entries.count >= 2 * limit { drop(entries.count - limit) }
      if bytes > byteLimit { shrink(to: byteLimit / 2) }
    }

    /// Takes in another part's last entries and what that part has lost.
    mutating func merge(_ part: Part, limit: Int, byteLimit: Int) {
      let other = part.visible(limit)
      entries = (entries + other.entries).sorted { $0.sequence < $1.sequence }
      dropped = max(dropped, other.dropped)
      bytes = entries.reduce(0) { $0 + $1.event.roughSize }
      drop(entries.count - limit)
      if bytes > byteLimit { shrink(to: byteLimit) }
    }

    private mutating func drop(_ count: Int) {
      guard count > 0 else { return }
      dropped = max(dropped, entries[count - 1].sequence)
      for entry in entries[..<count] { bytes -= entry.event.roughSize }
      entries.removeFirst(count)
    }

    /// The last one stays, whatever its size.
    private mutating func shrink(to size: Int) {
      var count = 0
      var left = bytes
      while left > size, count < entries.count - 1 {
        left -= entries[count].event.roughSize
        count += 1
      }
      drop(count)
    }

    /// The last `limit` of them.
    func visible(_ limit: Int) -> (entries: ArraySlice<JournalEntry>, dropped: Int) {
      let kept = entries.suffix(limit)
      guard kept.startIndex > 0 else { return (kept, dropped) }
      return (kept, entries[kept.startIndex - 1].sequence)
    }
  }

  private let limit: Int
  private let byteLimit: Int
  private(set) var sequence = 0
  private var parts: [ControllerID: Part] = [:]
  /// What is left of disposed controllers, all together under one limit.
  private var ended = Part()

  /// - Parameters:
  ///   - limit: of the events of one controller, and of all disposed ones together.
  ///   - byteLimit: of what those hold.
  init(limit: Int, byteLimit: Int = 8 << 20) {
    self.limit = max(1, limit)
    self.byteLimit = byteLimit
  }

  /// A new controller, of which nothing is missed.
  mutating func begin(_ controllerID: ControllerID) {
    if parts[controllerID] == nil { parts[controllerID] = Part() }
  }

  mutating func append(_ event: ControllerEvent, of controllerID: ControllerID) -> JournalEntry {
    sequence += 1
    let entry = JournalEntry(sequence: sequence, controllerID: controllerID, event: event)
    parts[controllerID, default: Part()].append(entry, limit: limit, byteLimit: byteLimit)
    return entry
  }

  /// The controller is gone: its last events are kept with those of the others that are.
  mutating func end(_ controllerID: ControllerID) {
    guard let part = parts.removeValue(forKey: controllerID) else { return }
    ended.merge(part, limit: limit, byteLimit: byteLimit)
  }

  /// - Parameters:
  ///   - since: the last sequence number that the reader has; nil: nothing is missed.
  ///   - isSameRun: false when `since` is of another run of the server.
  func entries(
    of controllerID: ControllerID?, since: Int?, isSameRun: Bool, limit pageLimit: Int,
    matching: (ControllerEvent) -> Bool
  ) -> (entries: [JournalEntry], next: Int, gap: ClosedRange<Int>?) {
    let isKnown = isSameRun && (since.map { $0 <= sequence } ?? true)
    let start = isKnown ? (since ?? 0) : 0
    var found: [JournalEntry] = []
    var dropped = 0
    for part in relevant(controllerID) {
      let visible = part.visible(limit)
      dropped = max(dropped, visible.dropped)
      found += visible.entries[firstIndex(in: visible.entries, after: start)...].filter {
        (controllerID == nil || $0.controllerID == controllerID) && matching($0.event)
      }
    }
    if controllerID == nil { found.sort { $0.sequence < $1.sequence } }
    let page = found.prefix(max(1, pageLimit))
    let next = page.count < found.count ? page[page.endIndex - 1].sequence : sequence
    let gap: ClosedRange<Int>? =
      if since == nil {
        nil
      } else if !isKnown {
        0...dropped
      } else {
        start < dropped ? start + 1...dropped : nil
      }
    return (Array(page), next, gap)
  }

  private func relevant(_ controllerID: ControllerID?) -> [Part] {
    guard let controllerID else { return Array(parts.values) + [ended] }
    return parts[controllerID].map { [$0] } ?? [ended]
  }

  private func firstIndex(in entries: ArraySlice<JournalEntry>, after sequence: Int) -> Int {
    var low = entries.startIndex
    var high = entries.endIndex
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
