import Dispatch
import Synchronization

/// Everything that holds a page, and every state machine fed by one, runs here. The program installs the
/// executor of GLib's default main context before first use; without it (in tests) a serial queue serves.
@globalActor
public actor PageActor {
  public static let shared = PageActor()
  private static let installed = Mutex<(any SerialExecutor & Sendable)?>(nil)
  private static let preferred = Mutex<(any TaskExecutor)?>(nil)

  private nonisolated let executor: any SerialExecutor & Sendable

  private init() {
    executor = Self.installed.withLock { $0 } ?? QueueExecutor(label: "page-actor")
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// To be called before anything is isolated to this actor; later calls have no effect.
  /// - Parameter taskExecutor: the same thread as a task executor, see `taskExecutor`.
  public static func install(
    _ executor: some SerialExecutor & Sendable, taskExecutor: (any TaskExecutor)? = nil
  ) {
    installed.withLock { $0 = executor }
    preferred.withLock { $0 = taskExecutor }
  }

  /// For tasks that mostly wait on this actor: a continuation resumed here then goes on at once, where it would
  /// otherwise take a turn through another thread (12 µs each). nil: none was installed.
  public static var taskExecutor: (any TaskExecutor)? { preferred.withLock { $0 } }

  /// For callbacks from C that are known to run on this actor's thread.
  public static func assumeIsolated<Value: Sendable>(
    _ body: @PageActor () throws -> Value, file: StaticString = #fileID, line: UInt = #line
  ) rethrows -> Value {
    shared.preconditionIsolated(file: file, line: line)
    typealias Plain = () throws -> Value
    // Safe because isolation was just checked; the standard library's MainActor.assumeIsolated does the same.
    return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: Plain.self)() }
  }
}

/// A serial queue as an executor: the Linux toolchain's DispatchSerialQueue is none.
public final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue
  public init(label: String) { queue = DispatchQueue(label: label) }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
