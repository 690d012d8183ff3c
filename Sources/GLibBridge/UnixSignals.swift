import CGLib
import Glibc

/// Signals as events of a loop.
public enum UnixSignals {
  /// Calls `body` on the loop's thread each time the signal arrives, whatever the other threads are doing. For
  /// the life of the process; SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2 and SIGWINCH only (GLib's rule).
  public static func on(_ signal: Int32, in loop: LoopExecutor, _ body: @escaping @Sendable () -> Void) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let source = g_unix_signal_source_new(signal)!
    g_source_set_priority(source, G_PRIORITY_HIGH)
    g_source_set_callback(
      source,
      { data in
        Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue().body()
        return 1
      }, Unmanaged.passRetained(Box(body)).toOpaque(), { Unmanaged<Box>.fromOpaque($0!).release() })
    loop.attach(source)
    g_source_unref(source)
  }

  /// First thing in `main`: a launcher may hand down a mask that blocks SIGTERM (Foundation's Process does),
  /// which children would inherit too. A reader that went away must not kill the server either.
  public static func resetMask() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    Glibc.signal(SIGPIPE, SIG_IGN)
  }
}
