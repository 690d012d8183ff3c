import Dispatch

/// For work that takes its time: encoding, files. A task executor preference would keep a plain concurrent
/// function on the loop's thread, and the pool has few threads; a queue does neither.
public func inBackground<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
  }
}
