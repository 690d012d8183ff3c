import CGLib
import Glibc

/// A copy of this program that goes on with something else: no time to start, next to no memory of its own.
public struct ForkedChild: Sendable {
  public let pid: pid_t

  /// To be called before the program has threads, whose locks the copy would inherit. There is one already, of the
  /// allocator that comes with WebKit's library; the copy must not use that. nil: there is no room for a process.
  /// - Parameter body: the child's life, as the leader of a session of its own.
  public static func start(_ body: () -> Never) -> ForkedChild? {
    switch webview_fork() {
    case 0:
      setsid()
      body()
    case -1: return nil
    case let pid: return ForkedChild(pid: pid)
    }
  }

  /// Has the loop reap it; `body` is called when it ended before `end`.
  public func watch(in loop: LoopExecutor, _ body: @escaping @Sendable () -> Void) {
    loop.watchChild(pid) { _ in body() }
  }

  /// Ends and reaps it at once. To be called on the thread of the loop that watches it, if one does, and as the last
  /// thing there.
  public func end() {
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
  }

  /// For the child: a name of at most 15 bytes for `ps`, and no descriptor but `kept`, which gets the number 3.
  public static func becomeOther(name: String, keeping kept: Int32) {
    webview_set_thread_name(name)
    dup2(kept, 3)
    closefrom(4)
    let null = open("/dev/null", O_RDWR)
    for descriptor: Int32 in 0...2 { dup2(null, descriptor) }
    if null > 2 { close(null) }
    chdir("/")
  }

  /// A pipe whose ends close with an exec.
  public static func pipe() throws(GLibError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try throwing { g_unix_open_pipe(&ends, FD_CLOEXEC, &$0) }
    return (ends[0], ends[1])
  }
}
