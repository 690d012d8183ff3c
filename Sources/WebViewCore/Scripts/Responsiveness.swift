/// Whether the page's process still runs code: doubted after an answer did not come in time, until a probe is
/// answered.
struct Responsiveness: Sendable {
  struct Probe: Hashable, Sendable { let number: Int }
  private enum State: Sendable, Equatable {
    case trusted
    case probing(Probe)
  }
  private var state = State.trusted
  private var count = 0

  var isDoubted: Bool { state != .trusted }

  /// The probe to send; nil when one is on its way.
  mutating func doubt() -> Probe? {
    guard state == .trusted else { return nil }
    count += 1
    let probe = Probe(number: count)
    state = .probing(probe)
    return probe
  }

  /// True when this ends the doubt.
  mutating func answered(_ probe: Probe) -> Bool {
    guard state == .probing(probe) else { return false }
    state = .trusted
    return true
  }

  /// True when the process is to be ended.
  mutating func expired(_ probe: Probe) -> Bool { answered(probe) }

  /// Another process, or none.
  mutating func reset() { state = .trusted }
}
