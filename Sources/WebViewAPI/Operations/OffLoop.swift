import WebViewCore

/// Keeps long slices of work off the transport's and the pages' threads.
enum OffLoop {
  /// Below this, going to another thread takes longer than the work.
  static let threshold = 256 << 10

  /// Runs `body` here when it is small, else in the background.
  static func run<Value: Sendable>(
    size: Int, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    size < threshold ? try body() : try await inBackground(body)
  }
}
