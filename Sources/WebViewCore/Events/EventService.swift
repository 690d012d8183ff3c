/// The journal of all controllers, and who listens to it.
@PageActor
public final class EventService {
  /// What a reader asks for. nil controller: all of them.
  public struct Query: Sendable, Equatable {
    public var controllerID: ControllerID?
    public var types: Set<EventType> = EventType.standard
    public init(controllerID: ControllerID? = nil, types: Set<EventType> = EventType.standard) {
      self.controllerID = controllerID
      self.types = types
    }
    func matches(_ entry: JournalEntry) -> Bool {
      types.contains(entry.event.type) && (controllerID == nil || controllerID == entry.controllerID)
    }
  }
  public struct Page: Sendable, Equatable {
    public var entries: [JournalEntry]
    /// Pass as `since` next time.
    public var next: Int
    /// Sequence numbers that may have been missed, when the journal no longer reaches back.
    public var gap: ClosedRange<Int>?
    public init(entries: [JournalEntry], next: Int, gap: ClosedRange<Int>?) {
      self.entries = entries
      self.next = next
      self.gap = gap
    }
  }
  public struct SubscriptionID: Sendable, Hashable { let number: Int }

  private struct Subscription {
    let number: Int
    let query: Query
    let sink: @Sendable (JournalEntry) -> Void
  }

  /// Identifies this run of the server: `since` of another run is a gap.
  public nonisolated let run: String

  private var journal: EventJournal
  /// In order of subscription.
  private var subscriptions: [Subscription] = []
  private var count = 0
  private let timers: Timers
  /// Long polls that wait for an event.
  private var polls: [Int: OneShot] = [:]

  public nonisolated init(limits: Limits, clock: any Clock<Duration> = ContinuousClock()) {
    run = RandomID.make()
    journal = EventJournal(limit: limits.journal)
    timers = Timers(clock: clock)
  }

  /// The last sequence number given out.
  public var sequence: Int { journal.sequence }

  /// `sink` is called on the actor, in order, for each event that happens from now on.
  public func subscribe(_ query: Query, sink: @escaping @Sendable (JournalEntry) -> Void) -> SubscriptionID {
    count += 1
    subscriptions.append(Subscription(number: count, query: query, sink: sink))
    return SubscriptionID(number: count)
  }

  public func unsubscribe(_ id: SubscriptionID) { subscriptions.removeAll { $0.number == id.number } }

  /// What the journal has after `since` (nil: all it has).
  public func entries(_ query: Query, since: Int?, run: String?, limit: Int) -> Page {
    let found = journal.entries(
      of: query.controllerID, since: since, isSameRun: run == nil || run == self.run, limit: limit
    ) { query.types.contains($0.type) }
    return Page(entries: found.entries, next: found.next, gap: found.gap)
  }

  /// The same, waiting up to `poll` seconds for the first entry.
  public func entries(_ query: Query, since: Int?, run: String?, limit: Int, poll: Double) async throws
    -> Page
  {
    let page = entries(query, since: since, run: run, limit: limit)
    guard page.entries.isEmpty, page.gap == nil, poll > 0 else { return page }
    await firstEvent(query, within: .seconds(poll))
    try Task.checkCancellation()
    return entries(query, since: since ?? page.next, run: run, limit: limit)
  }

  /// A new controller: whoever asks for its events has missed none.
  func begin(_ controllerID: ControllerID) { journal.begin(controllerID) }

  func publish(_ event: ControllerEvent, of controllerID: ControllerID) {
    let entry = journal.append(event, of: controllerID)
    if event.type == .disposed { journal.end(controllerID) }
    for subscription in subscriptions where subscription.query.matches(entry) { subscription.sink(entry) }
  }

  private func firstEvent(_ query: Query, within delay: Duration) async {
    let signal = OneShot()
    var query = query
    // After it a controller has nothing to tell any more.
    if query.controllerID != nil { query.types.insert(.disposed) }
    let id = subscribe(query) { _ in signal.fire() }
    let timer = timers.after(delay) { signal.fire() }
    polls[id.number] = signal
    await signal.wait()
    polls[id.number] = nil
    timers.cancel(timer)
    unsubscribe(id)
  }

  /// The server stops: nobody waits any longer.
  public func endPolls() {
    for signal in polls.values { signal.fire() }
  }
}
