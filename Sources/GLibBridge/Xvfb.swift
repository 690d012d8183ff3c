import CGLib
import Glibc

/// A private X display without a screen. Start it on the main thread (it dies with the thread that started
/// it), before GTK is initialized.
public struct Xvfb: Sendable {
  public enum Failure: Error, CustomStringConvertible, Sendable {
    case notInstalled(GLibError)
    case noDisplay(after: Duration)
    case ended
    case failed(String)

    public var description: String {
      switch self {
      case .notInstalled(let error): "Xvfb cannot be started (\(error.message)); install the package xvfb"
      case .noDisplay(let time): "Xvfb named no display within \(time)"
      case .ended: "Xvfb ended before it named a display"
      case .failed(let message): "Xvfb ended before it named a display: \(message)"
      }
    }
  }

  /// For `DISPLAY`: `:0`, …
  public let display: String
  public let process: ChildProcess

  /// - Parameters:
  ///   - screen: width, height, depth. Xvfb clears, and so really takes, 4 bytes a pixel: 4096×4096 is
  ///     80 MB, 10000×10000 would be 320 MB. Windows may be larger than the screen.
  ///   - deadline: for naming its display; this call blocks until then.
  ///   - loop: reaps it, and reads what it says.
  ///   - onMessage: gets each line that it writes to standard error, on the loop's thread. It complains about
  ///     every display number that is taken, and goes on.
  public static func start(
    screen: String = "2560x1600x24", deadline: Duration = .seconds(15), reapedBy loop: LoopExecutor,
    onMessage: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> Xvfb {
    var pipe: [Int32] = [0, 0]
    try throwing { g_unix_open_pipe(&pipe, FD_CLOEXEC, &$0) }
    defer { close(pipe[0]) }
    var errors: [Int32] = [0, 0]
    try throwing { g_unix_open_pipe(&errors, FD_CLOEXEC, &$0) }
    let messages = ChildMessages(owning: errors[0], onMessage)
    let process: ChildProcess
    do throws(GLibError) {
      defer {
        close(pipe[1])
        close(errors[1])
      }
      process = try ChildProcess.spawn(
        [
          "Xvfb", "-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp", "-noreset",
          // Each page's process is a client. It is the most that Xvfb takes; its default is 256.
          "-maxclients", "2048",
        ],
        descriptors: [2: errors[1], 3: pipe[1]], reapedBy: loop)
    } catch {
      throw Failure.notInstalled(error)
    }
    do throws(Failure) {
      let number = try readNumber(pipe[0], within: deadline)
      messages.watch()
      return Xvfb(display: ":\(number)", process: process)
    } catch {
      process.send(SIGKILL)
      // The reason is in its last line.
      guard case .ended = error, let line = messages.last() else { throw error }
      throw Failure.failed(line)
    }
  }

  /// Digits up to the newline.
  private static func readNumber(_ descriptor: Int32, within deadline: Duration) throws(Failure) -> Int {
    let end = ContinuousClock.now + deadline
    var text = [UInt8]()
    while true {
      let left = (end - .now).milliseconds
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&poller, 1, Int32(clamping: left)) != 0 else { throw .noDisplay(after: deadline) }
      var byte: UInt8 = 0
      switch read(descriptor, &byte, 1) {
      case 1 where byte == UInt8(ascii: "\n"):
        guard let number = Int(String(decoding: text, as: UTF8.self)) else { throw .ended }
        return number
      case 1: text.append(byte)
      case -1 where errno == EINTR: continue
      default: throw .ended
      }
    }
  }
}
