/// Everything that holds a socket or a libsoup object runs here: a thread with its own main context, so that
/// serving never waits behind a page.
@globalActor
public actor TransportActor {
  public static let shared = TransportActor()
  private nonisolated let thread = LoopThread(name: "transport")

  private init() {}

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor.asUnownedSerialExecutor() }

  /// The loop under the actor.
  public static var loop: LoopExecutor { shared.thread.executor }
  /// For `Task(executorPreference:)`: continuations resume on the thread without a detour through the pool.
  public static var taskExecutor: LoopTaskExecutor { loop.taskExecutor }

  /// For callbacks from C that are known to run on this actor's thread.
  public static func assumeIsolated<Value: Sendable>(
    _ body: @TransportActor () throws -> Value, file: StaticString = #fileID, line: UInt = #line
  ) rethrows -> Value {
    shared.preconditionIsolated(file: file, line: line)
    typealias Plain = () throws -> Value
    // Safe because isolation was just checked; the standard library's MainActor.assumeIsolated does the same.
    return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: Plain.self)() }
  }
}
