import CGLib
import Synchronization

/// The default main context's loop, which the main thread runs.
public enum MainLoop {
  // Safe because a GMainLoop is thread-safe and this reference is never replaced.
  private nonisolated(unsafe) static let loop = g_main_loop_new(nil, 0)!
  private static let hasQuit = Atomic<Bool>(false)

  /// Returns after `quit`, also when that came first. Bind the executor of the default context before.
  public static func run() {
    if !hasQuit.load(ordering: .acquiring) { g_main_loop_run(loop) }
  }

  /// From any thread.
  public static func quit() {
    hasQuit.store(true, ordering: .releasing)
    // In a turn of the loop: a quit between the check in `run` and its first turn would be lost.
    let source = g_idle_source_new()!
    g_source_set_priority(source, G_PRIORITY_HIGH)
    g_source_set_callback(
      source,
      { _ in
        g_main_loop_quit(MainLoop.loop)
        return 0
      }, nil, nil)
    g_source_attach(source, nil)
    g_source_unref(source)
  }
}
