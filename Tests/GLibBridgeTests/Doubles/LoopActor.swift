import GLibBridge

/// A loop thread of these tests' own, which lives as long as their process.
@globalActor
actor LoopActor {
  static let shared = LoopActor()
  private nonisolated let thread = LoopThread(name: "bridge-tests")

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor.asUnownedSerialExecutor() }
  static var loop: LoopExecutor { shared.thread.executor }
}
