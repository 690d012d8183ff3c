import CGLib
import Glibc

/// Tells of the end of a process, which somebody else reaps. To be made, and let go, on the thread whose loop tells.
public final class ProcessWatch {
  public let process: Int32
  private let descriptor: Int32
  private var source: LoopSource?

  /// nil: there is no such process, or the kernel cannot watch one.
  public init?(_ process: Int32, onEnd: @escaping () -> Void) {
    self.process = process
    descriptor = webview_watch_process(process)
    guard descriptor >= 0 else { return nil }
    source = LoopSource.descriptor(descriptor, .readable) { _ in
      onEnd()
      return false
    }
  }

  deinit {
    source?.cancel()
    if descriptor >= 0 { close(descriptor) }
  }
}
