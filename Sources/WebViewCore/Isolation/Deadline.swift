/// The moment by which an operation answers, and how long that was in all.
public struct Deadline: Sendable, Hashable {
  public let instant: ContinuousClock.Instant
  public let seconds: Double

  public init(seconds: Double, from now: ContinuousClock.Instant = .now) {
    self.seconds = seconds
    instant = now.advanced(by: .seconds(seconds))
  }

  /// For messages.
  var text: String {
    seconds == 1
      ? "1 second" : seconds == seconds.rounded() ? "\(Int(seconds)) seconds" : "\(seconds) seconds"
  }
}
