import GLibBridge
import Glibc

/// A small process that outlives a killed or crashed server for a moment, and ends what that left behind.
///
/// Most of it ends by itself, but not a page in an endless loop for the first ten seconds, nor one that is stopped:
/// WebKit asks the kernel to end neither its processes nor the sandboxes around them with their parent. As they
/// have no other parent then, they are known by a mark in the environment that the server hands down.
struct Guardian: Sendable {
  private let process: ForkedChild

  var pid: pid_t { process.pid }

  private static let variable = "WEBVIEW_SERVER_CHILD_OF"
  /// For ending by themselves, as a network process does once it has written what it holds.
  private static let patience = Duration.milliseconds(500)
  /// For ending when asked to: Xvfb removes its socket and lock.
  private static let courtesy = Duration.milliseconds(500)
  private static let limit = Duration.seconds(10)

  /// To be called before the program makes a thread. nil: the system allows no further process.
  static func start() -> Guardian? {
    let name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let mark = "\(variable)=\(name)"
    guard let pipe = try? ForkedChild.pipe() else { return nil }
    let process = ForkedChild.start {
      ForkedChild.becomeOther(name: "webview-guard", keeping: pipe.read)
      // A terminal's or a supervisor's signal is for the server, which may take its time.
      for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { signal(number, SIG_IGN) }
      awaitEnd(of: 3)
      sweep(mark)
      _exit(0)
    }
    close(pipe.read)
    guard let process else {
      close(pipe.write)
      return nil
    }
    // The write end stays open until the server is gone, and with it all that is about to become a child.
    setenv(variable, name, 1)
    return Guardian(process: process)
  }

  /// - Parameter onEnd: it was ended by somebody else.
  func watch(in loop: LoopExecutor, onEnd: @escaping @Sendable () -> Void) {
    process.watch(in: loop, onEnd)
  }

  /// The server ended everything itself. The last thing on the watching loop's thread.
  func end() { process.end() }

  private static func awaitEnd(of pipe: Int32) {
    var byte: UInt8 = 0
    while true {
      let count = read(pipe, &byte, 1)
      if count == 0 || count < 0 && errno != EINTR { return }
    }
  }

  private static func sweep(_ mark: String) {
    let begin = ContinuousClock.now
    // More than one look: what is just being executed has no environment for an instant.
    var emptyLooks = 0
    while emptyLooks < 3, ContinuousClock.now - begin < limit {
      let left = ChildProcesses.marked(mark)
      emptyLooks = left.isEmpty ? emptyLooks + 1 : 0
      let age = ContinuousClock.now - begin
      if age > patience {
        for pid in left { kill(pid, age > patience + courtesy ? SIGKILL : SIGTERM) }
      }
      poll(nil, 0, 20)
    }
  }
}
