import CGLib
import Glibc

/// A thread that runs a GLib main context of its own, for as long as the process lives.
public final class LoopThread: Sendable {
  /// Runs jobs and posted closures on the thread.
  public let executor: LoopExecutor

  /// - Parameter name: shown by debuggers and `top`; at most 15 bytes.
  public init(name: String) {
    let context = g_main_context_new()!
    let executor = LoopExecutor(context: context)
    self.executor = executor
    let start = Start(context: context, executor: executor, name: name)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { data in
        Unmanaged<Start>.fromOpaque(data!).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(start).toOpaque())
    precondition(failure == 0, "the system gives no thread for \(name): \(failure)")
    pthread_detach(thread)
  }

  private final class Start {
    let context: OpaquePointer
    let executor: LoopExecutor
    let name: String

    init(context: OpaquePointer, executor: LoopExecutor, name: String) {
      self.context = context
      self.executor = executor
      self.name = name
    }

    func run() {
      webview_set_thread_name(name)
      // So that everything made on this thread (sockets, streams, libsoup) attaches here.
      g_main_context_push_thread_default(context)
      executor.bindToCurrentThread()
      g_main_loop_run(g_main_loop_new(context, 0))
    }
  }
}
