/// The last events of each controller in the run's one order. Bounded: what a controller's part no longer holds
/// is a gap for whoever asks from before it.
struct EventJournal: Sendable {
  private struct Part: Sendable {
    var entries: [JournalEntry] = []
    /// The last one that was dropped.
    var dropped = 0

    mutating func append(_ entry: JournalEntry, limit: Int) {
      entries.append(entry)
      // Dropped in blocks, so that an append costs no move of the rest.
      if entries.count >= 2 * limit { trim(to: limit) }
    }
    mutating func trim(to limit: Int) {
      guard entries.count > limit else { return }
      let excess = entries.count - limit
      dropped = max(dropped, entries[excess - 1].sequence)
      entries.removeFirst(excess)
    }
    /// The last `limit` of them.
    func visible(_ limit: Int) -> (entries: ArraySlice<JournalEntry>, dropped: Int) {
      let kept = entries.suffix(limit)
      guard kept.startIndex > 0 else { return (kept, dropped) }
      return (kept, entries[kept.startIndex - 1].sequence)
    }
  }

  private let limit: Int
  private(set) var sequence = 0
  private var parts: [ControllerID: Part] = [:]
  /// What is left of disposed controllers, all together under one limit.
  private var ended = Part()

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func append(_ event: ControllerEvent, of controllerID: ControllerID) -> JournalEntry {
    sequence += 1
    let entry = JournalEntry(sequence: sequence, controllerID: controllerID, event: event)
    parts[controllerID, default: Part()].append(entry, limit: limit)
    return entry
  }

  /// The controller is gone: its last events are kept with those of the others that are.
  mutating func end(_ controllerID: ControllerID) {
    guard let part = parts.removeValue(forKey: controllerID) else { return }
    ended.entries = (ended.entries + part.visible(limit).entries).sorted { $0.sequence < $1.sequence }
    ended.trim(to: limit)
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
