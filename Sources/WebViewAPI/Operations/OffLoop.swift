/// Keeps long slices of work off the transport's and the pages' threads.
enum OffLoop {
  /// Below this, going to another thread takes longer than the work.
  static let threshold = 256 << 10

  /// Runs `body` here when it is small, else on the global pool.
  static func run<Value: Sendable>(
    size: Int, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    if size < threshold { return try body() }
    // Without this the caller's own executor would be preferred, which is the loop.
    return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await concurrently(body) }
  }

  @concurrent
  private static func concurrently<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws
    -> Value
  {
    try body()
  }
}
