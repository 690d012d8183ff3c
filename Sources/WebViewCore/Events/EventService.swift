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

  /// Identifies this run of the server: `since` of another run is a gap.
  public nonisolated let run: String

  public init(limits: Limits) { run = RandomID.make() }

  /// The last sequence number given out.
  public var sequence: Int { 0 }

  /// `sink` is called on the actor, in order, for each event that happens from now on.
  public func subscribe(_ query: Query, sink: @escaping @Sendable (JournalEntry) -> Void) -> SubscriptionID {
    SubscriptionID(number: 0)
  }
  public func unsubscribe(_ id: SubscriptionID) {}

  /// What the journal has after `since` (nil: all it has).
  public func entries(_ query: Query, since: Int?, run: String?, limit: Int) -> Page {
    Page(entries: [], next: 0, gap: nil)
  }
  /// The same, waiting up to `poll` seconds for the first entry.
  public func entries(_ query: Query, since: Int?, run: String?, limit: Int, poll: Double) async throws -> Page {
    Page(entries: [], next: 0, gap: nil)
  }
}
