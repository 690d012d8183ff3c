/// What a page has asked of the network and did not get yet: documents, frames, images, fetch… WebSockets are not
/// told by WebKit.
///
/// Pure: it holds no clock; resources are told apart by their addresses, which WebKit does not use again before it
/// told their end.
struct NetworkActivity {
  typealias Resource = UnsafeRawPointer
  private var open: Set<Resource> = []
  private var lastEnd: ContinuousClock.Instant

  init(now: ContinuousClock.Instant) { lastEnd = now }

  mutating func began(_ resource: Resource) { open.insert(resource) }

  mutating func ended(_ resource: Resource, now: ContinuousClock.Instant) {
    if open.remove(resource) != nil { lastEnd = now }
  }

  /// Of the documents before, no end may be told any more.
  mutating func documentCommitted(main: Resource?, now: ContinuousClock.Instant) {
    open = open.filter { $0 == main }
    lastEnd = now
  }

  mutating func processEnded(now: ContinuousClock.Instant) { documentCommitted(main: nil, now: now) }

  /// For how long nothing has been under way; nil while something is.
  func quiet(now: ContinuousClock.Instant) -> Duration? { open.isEmpty ? lastEnd.duration(to: now) : nil }
}
