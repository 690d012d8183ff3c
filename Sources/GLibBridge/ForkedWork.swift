import CGLib
import Glibc

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

  /// To be called on the thread of the loop, which reaps the copy.
  /// - Returns: what `body` gave; nil when it did not within the limit, or the system has no room for a process.
  public static func bytes(
    within limit: Limit, reapedBy loop: LoopExecutor, isolation: isolated (any Actor)? = #isolation,
    _ body: () -> [UInt8]?
  ) async -> [UInt8]? {
    guard let file = MemoryFile(name: "forked-work") else { return nil }
    var (work, time) = (timer(limit.work), timer(limit.time))
    let pid = webview_fork_mortal(&work, &time)
    if pid == 0 {
      guard let answer = body(), answer.count <= limit.bytes, file.write(answer) else { _exit(1) }
      _exit(0)
    }
    guard pid > 0 else { return nil }
    let status = await withCheckedContinuation { continuation in
      loop.watchChild(pid) { continuation.resume(returning: $0) }
    }
    return status == 0 ? file.read() : nil
  }

  private static func timer(_ duration: Duration) -> itimerval {
    let (seconds, attoseconds) = duration.components
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    return timer
  }
}
