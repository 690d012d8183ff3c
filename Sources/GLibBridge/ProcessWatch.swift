import CGLib
import Glibc

/// Tells of the end of a process, which somebody else reaps; of one that is gone already in a later turn. To be made,
/// and let go, on the thread whose loop tells.
public final class ProcessWatch {
  public let process: Int32
  private let descriptor: Int32
  private var source: LoopSource?

  /// nil: the kernel cannot watch it: it knows no such way, or has no descriptor left.
  public init?(_ process: Int32, onEnd: @escaping () -> Void) {
    self.process = process
    descriptor = webview_watch_process(process)
    if descriptor >= 0 {
      source = LoopSource.descriptor(descriptor, .readable) { _ in
        onEnd()
        return false
      }
    } else if errno == ESRCH {
      source = LoopSource.timer(every: .zero) {
        onEnd()
        return false
      }
    } else {
      return nil
    }
  }

  deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }
}
