import CGLib
import Synchronization

/// A `GAsyncReadyCallback` operation as an async call:
///
///     try await awaitResult {
///       webkit_web_view_get_snapshot(view, region, options, $0, $1, $2)
///     } finish: { result, error in … }
///
/// Cancelling the task resumes it at once with `CancellationError`, whatever the C side does; a later
/// callback still runs `finish`, which frees what the operation made. If the callback never comes, only
/// cancellation ends the wait: callers put a deadline around it.
public func awaitResult<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ start: (UnsafeMutablePointer<GCancellable>, @escaping GAsyncReadyCallback, gpointer) -> Void,
  finish: @escaping (OpaquePointer, inout GErrorPointer) -> Value?
) async throws -> Value {
  let pending = PendingResult(finish: finish)
  return try await withTaskCancellationHandler {
    // Mentioned, so that this closure is the caller's actor's too: else `start` would run wherever the task
    // prefers to, and libraries take calls on their own thread only.
    _ = isolation
    return try await withCheckedThrowingContinuation { continuation in
      guard pending.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
      start(
        pending.cancellable,
        { _, result, data in
          Unmanaged<AnyPendingResult>.fromOpaque(data!).takeRetainedValue().complete(result!)
        }, Unmanaged.passRetained(pending as AnyPendingResult).toOpaque())
    }
  } onCancel: {
    pending.cancel()
  }
}

private class AnyPendingResult {
  func complete(_ result: OpaquePointer) {}
}

// Safe because the continuation is behind a mutex, GCancellable is thread-safe, and `finish` runs on the
// loop's thread only.
private final class PendingResult<Value: Sendable>: AnyPendingResult, @unchecked Sendable {
  private enum State {
    case fresh
    case waiting(CheckedContinuation<Value, any Error>)
    case over
  }
  let cancellable = g_cancellable_new()!
  private let state = Mutex(State.fresh)
  private let finish: (OpaquePointer, inout GErrorPointer) -> Value?

  init(finish: @escaping (OpaquePointer, inout GErrorPointer) -> Value?) { self.finish = finish }
  deinit { g_object_unref(cancellable) }

  /// False when the task was cancelled before it began.
  func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
    state.withLock {
      guard case .fresh = $0 else { return false }
      $0 = .waiting(continuation)
      return true
    }
  }

  override func complete(_ result: OpaquePointer) {
    var error: GErrorPointer = nil
    let value = finish(result, &error)
    let failure = error.map { GLibError(consuming: $0) }
    guard let continuation = end() else { return }
    if let failure {
      continuation.resume(throwing: failure)
    } else if let value {
      continuation.resume(returning: value)
    } else {
      continuation.resume(
        throwing: GLibError(domain: "no-result", code: 0, message: "the operation gave nothing"))
    }
  }

  func cancel() {
    let continuation = end()
    g_cancellable_cancel(cancellable)
    continuation?.resume(throwing: CancellationError())
  }

  private func end() -> CheckedContinuation<Value, any Error>? {
    state.withLock { state in
      defer { state = .over }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
  }
}
