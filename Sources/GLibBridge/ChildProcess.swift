import CGLib
import Glibc
import Synchronization

/// A child that dies with us, starts with an empty signal mask, and is reaped by a loop.
///
/// The kernel's parent-death signal follows the spawning *thread*, not the process: spawn from a thread that
/// lives as long as the server (the main thread, or a loop's), never from a pool.
public final class ChildProcess: Sendable {
  public struct ExitStatus: Sendable, Equatable {
    /// As `waitpid` tells it.
    public let raw: Int32
    /// The exit code, nil when a signal ended it.
    public var code: Int32? { raw & 0x7f == 0 ? (raw >> 8) & 0xff : nil }
    public var signal: Int32? { raw & 0x7f == 0 ? nil : raw & 0x7f }
  }

  private enum State {
    case running([@Sendable (ExitStatus) -> Void])
    case exited(ExitStatus)
  }

  public let pid: pid_t
  private let state = Mutex(State.running([]))

  private init(pid: pid_t) { self.pid = pid }

  /// - Parameters:
  ///   - arguments: the program first, looked up in PATH.
  ///   - environment: `NAME=value`; nil hands down ours.
  ///   - descriptors: ours by the number they get in the child; standard output and
  ///     error are inherited where not named, standard input is empty.
  ///   - deathSignal: what it gets when the calling thread ends, kill -9 of the process included; 0 for none.
  ///   - loop: reaps the child.
  public static func spawn(
    _ arguments: [String], environment: [String]? = nil, descriptors: [Int32: Int32] = [:],
    deathSignal: Int32 = SIGTERM, reapedBy loop: LoopExecutor
  ) throws(GLibError) -> ChildProcess {
    let argv = CStrings(arguments)
    let environ = environment.map { CStrings($0) }
    let targets = descriptors.keys.sorted()
    let sources = targets.map { descriptors[$0]! }
    var setup = WebviewChildSetup(death_signal: deathSignal, parent: getpid())
    var pid: GPid = 0
    let flags = GSpawnFlags(rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_DO_NOT_REAP_CHILD.rawValue)
    try throwing { error in
      g_spawn_async_with_pipes_and_fds(
        nil, argv.pointer, environ?.pointer, flags, { webview_child_setup($0) }, &setup, -1, -1, -1, sources,
        targets, gsize(targets.count), &pid, nil, nil, nil, &error)
    }
    let child = ChildProcess(pid: pid)
    loop.watchChild(pid) { child.ended(ExitStatus(raw: $0)) }
    return child
  }

  public var isRunning: Bool { state.withLock { if case .running = $0 { true } else { false } } }

  /// False when it has ended already.
  @discardableResult
  public func send(_ signal: Int32) -> Bool {
    // Under the lock: once reaped, the number may belong to somebody else.
    state.withLock { state in
      guard case .running = state else { return false }
      return kill(pid, signal) == 0
    }
  }

  /// Calls back once, at once when it has ended already.
  public func onExit(_ body: @escaping @Sendable (ExitStatus) -> Void) {
    let status: ExitStatus? = state.withLock { state in
      switch state {
      case .exited(let status): return status
      case .running(let waiting):
        state = .running(waiting + [body])
        return nil
      }
    }
    if let status { body(status) }
  }

  /// Returns when it has ended and been reaped.
  public func exitStatus() async -> ExitStatus {
    await withCheckedContinuation { continuation in onExit { continuation.resume(returning: $0) } }
  }

  /// SIGTERM, and SIGKILL when it still runs after `grace`; returns when it is reaped.
  @discardableResult
  public func terminate(grace: Duration = .seconds(3)) async -> ExitStatus {
    send(SIGTERM)
    let killer = Task { [self] in
      try await Task.sleep(for: grace)
      send(SIGKILL)
    }
    defer { killer.cancel() }
    return await exitStatus()
  }

  private func ended(_ status: ExitStatus) {
    let waiting: [@Sendable (ExitStatus) -> Void] = state.withLock { state in
      guard case .running(let waiting) = state else { return [] }
      state = .exited(status)
      return waiting
    }
    for body in waiting { body(status) }
  }

  /// A NULL-terminated array of C strings.
  private final class CStrings {
    private let storage: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
      count = strings.count
      storage = .allocate(capacity: count + 1)
      for (index, string) in strings.enumerated() {
        (storage + index).initialize(to: UnsafePointer(strdup(string)))
      }
      (storage + count).initialize(to: nil)
    }
    deinit {
      for index in 0..<count { free(UnsafeMutablePointer(mutating: storage[index])) }
      storage.deallocate()
    }
    var pointer: UnsafeMutablePointer<UnsafePointer<CChar>?> { storage }
  }
}
