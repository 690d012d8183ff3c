/// Where the core has work done that takes its time: encoding, files. A drive may never answer, so whoever waits
/// for it waits under a deadline.
public struct BackgroundWork: Sendable {
  public typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Void
  private let start: Start?

  /// On the threads of the system.
  public static let threads = BackgroundWork(start: nil)

  /// - Parameter start: runs what it is given, once, elsewhere and later.
  public static func started(by start: @escaping Start) -> BackgroundWork { BackgroundWork(start: start) }

  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let start else { return try await inBackground(work) }
    return try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: Result(catching: work)) }
    }
  }
}
