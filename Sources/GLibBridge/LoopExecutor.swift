import CGLib
import Glibc
import Synchronization

/// Runs Swift jobs on one GLib main context: a `GSource` with a mutexed queue, bounded per dispatch so that
/// sockets and web processes get their turn.
public final class LoopExecutor: SerialExecutor {
  private struct Source {
    var base: GSource
    var executor: Unmanaged<LoopExecutor>
  }

  private enum Entry {
    case job(UnownedJob)
    /// Of a task that prefers this thread, outside of any actor.
    case preferredJob(UnownedJob)
    case call(@Sendable () -> Void)
  }

  /// Jobs resumed by jobs run in the same dispatch, at most this many rounds.
  private static let roundsPerDispatch = 8

  // Safe because a GMainContext is thread-safe and this reference is never replaced.
  private nonisolated(unsafe) let context: OpaquePointer
  /// `pthread_t` of the thread that runs the context, 0 until it does.
  private let thread = Atomic<UInt>(0)
  private let queue = Mutex<[Entry]>([])
  private let isPending = Atomic<Bool>(false)
  // Safe because only the context's thread touches it, in `drain`.
  private nonisolated(unsafe) var batch: [Entry] = []
  // Safe because only the context's thread touches it, in `drain`, `prepare` and `check`.
  private nonisolated(unsafe) var isDraining = false
  private let preferring = Mutex<LoopTaskExecutor?>(nil)

  /// - Parameter context: nil is the default context, the one GTK uses.
  public init(context: OpaquePointer? = nil) {
    self.context = context ?? g_main_context_default()
    g_main_context_ref(self.context)
    batch.reserveCapacity(256)
    let source = g_source_new(&Self.functions, UInt32(MemoryLayout<Source>.size))!
    // The executor lives as long as the process: its source is never destroyed.
    UnsafeMutableRawPointer(source).assumingMemoryBound(to: Source.self).pointee.executor = .passRetained(
      self)
    g_source_set_static_name(source, "swift-jobs")
    // Not to be blocked during its dispatch, which costs two writes to the context's eventfd each time; a
    // loop inside a job finds the source not ready instead.
    g_source_set_can_recurse(source, 1)
    g_source_attach(source, self.context)
    g_source_unref(source)
  }

  /// For `Task(executorPreference:)`: nonisolated async functions run on the loop's thread too.
  public var taskExecutor: LoopTaskExecutor {
    preferring.withLock { existing in
      if let existing { return existing }
      let made = LoopTaskExecutor(loop: self)
      existing = made
      return made
    }
  }

  public func enqueue(_ job: consuming ExecutorJob) { push(.job(UnownedJob(job))) }

  /// Runs `body` on the loop's thread, in order with the jobs enqueued before and after.
  public func post(_ body: @escaping @Sendable () -> Void) { push(.call(body)) }

  fileprivate func pushPreferred(_ job: UnownedJob) { push(.preferredJob(job)) }

  private func push(_ entry: Entry) {
    queue.withLock { $0.append(entry) }
    if !isPending.exchange(true, ordering: .acquiringAndReleasing), !isCurrent {
      g_main_context_wakeup(context)
    }
  }

  /// Called once, by the thread that is going to iterate the context, before it does.
  public func bindToCurrentThread() { thread.store(UInt(pthread_self()), ordering: .releasing) }

  public var isCurrent: Bool { thread.load(ordering: .acquiring) == UInt(pthread_self()) }
  public func isIsolatingCurrentContext() -> Bool? { isCurrent }
  public func checkIsolated() { precondition(isCurrent, "not on this executor's GLib thread") }

  /// Runs `body` in a later turn of the loop, on its thread.
  public func later(_ body: @escaping @Sendable () -> Void) { attach(g_idle_source_new(), body) }

  /// Takes over the reference; dispatched once.
  private func attach(_ source: UnsafeMutablePointer<GSource>, _ body: @escaping @Sendable () -> Void) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    g_source_set_callback(
      source,
      { data in
        Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue().body()
        return 0
      }, Unmanaged.passRetained(Box(body)).toOpaque(), { Unmanaged<Box>.fromOpaque($0!).release() })
    g_source_attach(source, context)
    g_source_unref(source)
  }

  /// Runs `body` once on the loop's thread, not before `delay` is over.
  public func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = delay.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    attach(g_timeout_source_new(UInt32(clamping: milliseconds)), body)
  }

  /// Has the loop dispatch `source`; from any thread.
  func attach(_ source: UnsafeMutablePointer<GSource>) { g_source_attach(source, context) }

  /// Reaps a child of ours in this loop and hands over its wait status.
  func watchChild(_ pid: Int32, _ body: @escaping @Sendable (Int32) -> Void) {
    final class Box {
      let body: @Sendable (Int32) -> Void
      init(_ body: @escaping @Sendable (Int32) -> Void) { self.body = body }
    }
    let source = g_child_watch_source_new(pid)!
    let call: GChildWatchFunc = { _, status, data in
      Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue().body(status)
    }
    g_source_set_callback(
      source,
      // Safe because GLib calls a child watch's callback by exactly this type, as C's macro casts it.
      unsafeBitCast(call, to: GSourceFunc.self), Unmanaged.passRetained(Box(body)).toOpaque(),
      { Unmanaged<Box>.fromOpaque($0!).release() })
    g_source_attach(source, context)
    g_source_unref(source)
  }

  private static func executor(of source: UnsafeMutablePointer<GSource>?) -> LoopExecutor {
    UnsafeMutableRawPointer(source!).assumingMemoryBound(to: Source.self).pointee.executor
      .takeUnretainedValue()
  }

  // Safe because GLib only reads it; it is a C table that has to have an address.
  private nonisolated(unsafe) static var functions = GSourceFuncs(
    prepare: { source, timeout in
      timeout?.pointee = -1
      return executor(of: source).isReady ? 1 : 0
    },
    check: { executor(of: $0).isReady ? 1 : 0 },
    dispatch: { source, _, _ in
      executor(of: source).drain()
      return 1
    },
    finalize: nil, closure_callback: nil, closure_marshal: nil)

  private var isReady: Bool { !isDraining && isPending.load(ordering: .acquiring) }

  private func drain() {
    isDraining = true
    defer { isDraining = false }
    let serial = asUnownedSerialExecutor()
    for _ in 0..<Self.roundsPerDispatch {
      isPending.store(false, ordering: .sequentiallyConsistent)
      queue.withLock { swap(&$0, &batch) }
      if batch.isEmpty { return }
      for entry in batch {
        // With a task executor for every job the runtime re-enqueues at each switch: only jobs outside of
        // any actor, of tasks that prefer this thread, are run as the task executor's.
        switch entry {
        case .job(let job): job.runSynchronously(on: serial)
        case .preferredJob(let job):
          job.runSynchronously(isolatedTo: serial, taskExecutor: taskExecutor.asUnownedTaskExecutor())
        case .call(let body): body()
        }
      }
      batch.removeAll(keepingCapacity: true)
    }
  }
}

/// The loop as a task executor: shares the queue of its `LoopExecutor`.
public final class LoopTaskExecutor: TaskExecutor {
  private let loop: LoopExecutor
  fileprivate init(loop: LoopExecutor) { self.loop = loop }
  public func enqueue(_ job: consuming ExecutorJob) { loop.pushPreferred(UnownedJob(job)) }
}
