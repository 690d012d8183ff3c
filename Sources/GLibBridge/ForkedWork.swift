import CGLib
import Glibc
import Synchronization

/// What C code works out that nothing else can bound: done in a copy of this process, which ends when it takes too
/// long, and takes along what memory that needed.
///
/// The copy has the calling thread alone, but the locks that the others held at that moment: it may hang in one,
/// and is ended for that as well. Whoever asks needs another way for when there is no answer.
public enum ForkedWork {
  public struct Limit: Sendable {
    /// Of computing, which is also what bounds the memory.
    public var work: Duration
    /// For a copy that hangs.
    public var time: Duration
    public var bytes: Int
    public init(work: Duration, time: Duration, bytes: Int) {
      self.work = work
      self.time = time
      self.bytes = bytes
    }
  }

  /// How often a copy that hung is made anew.
  private static let patience = 3

  /// To be called on the thread of the loop, which reaps the copy.
  /// - Parameter body: gives bytes that are the copy's. It does next to nothing in Swift, whose runtime has locks too.
  /// - Returns: nil when there are none within the limit, when the task is cancelled, or when the system has no room
  ///   for a process.
  public static func bytes(
    within limit: Limit, reapedBy loop: LoopExecutor, isolation: isolated (any Actor)? = #isolation,
    _ body: () -> OpaquePointer?
  ) async -> [UInt8]? {
    for _ in 0..<patience {
      guard !Task.isCancelled, let file = MemoryFile(name: "forked-work") else { return nil }
      let (descriptor, size) = (file.descriptor, gsize(limit.bytes))
      var (work, time) = (timer(limit.work), timer(limit.time))
      let pid = webview_fork_mortal(&work, &time)
      if pid == 0 { webview_exit_with_bytes(descriptor, body(), size) }
      guard pid > 0 else { return nil }
      let status = await status(of: Copy(pid: pid), reapedBy: loop)
      if status == 0 { return file.read() }
      guard status == SIGALRM else { return nil }
    }
    return nil
  }

  /// As `waitpid` tells it: of what a signal ended, that signal.
  private static func status(
    of copy: Copy, reapedBy loop: LoopExecutor, isolation: isolated (any Actor)? = #isolation
  ) async -> Int32 {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.watchChild(copy.number) { status in
          copy.ended()
          continuation.resume(returning: status)
        }
      }
    } onCancel: {
      copy.end()
    }
  }

  private final class Copy: Sendable {
    let number: pid_t
    private let pid: Mutex<pid_t?>
    init(pid: pid_t) {
      number = pid
      self.pid = Mutex(pid)
    }

    func end() {
      // Under the lock: once reaped, the number may belong to somebody else.
      pid.withLock { if let pid = $0 { kill(pid, SIGKILL) } }
    }

    func ended() { pid.withLock { $0 = nil } }
  }

  private static func timer(_ duration: Duration) -> itimerval {
    let (seconds, attoseconds) = duration.components
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    return timer
  }
}
