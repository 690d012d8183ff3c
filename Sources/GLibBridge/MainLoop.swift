import CGLib

/// The default main context's loop, which the main thread runs.
public enum MainLoop {
  /// For the life of the process. Bind the executor of the default context before.
  public static func run() { g_main_loop_run(g_main_loop_new(nil, 0)) }
}
