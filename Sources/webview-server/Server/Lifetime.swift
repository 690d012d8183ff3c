import Foundation
import GLibBridge
import Synchronization
import WebViewCore

/// From the start to the exit status: what signals mean at each moment.
///
/// Signals and the end's deadline have a thread of their own, which nothing can hold up: whatever hangs, the
/// program ends.
final class Lifetime: Sendable {
  private enum Phase {
    case starting
    /// A signal came before the server was there.
    case unwanted
    case running(RunningServer)
    case stopping
  }

  private let phase = Mutex(Phase.starting)
  private let setup: ServerSetup
  private let signals = LoopThread(name: "signals")

  /// Seconds that the end may take beyond the drain before it is forced.
  private static let margin = 8.0

  init(_ setup: ServerSetup) { self.setup = setup }

  func takeSignals() {
    for number in [SIGTERM, SIGINT] {
      UnixSignals.on(number, in: signals.executor) { self.signalled(number) }
    }
  }

  @PageActor
  func start() async {
    var begun: RunningServer?
    do {
      let server = try await RunningServer(setup)
      begun = server
      try await server.listen()
      let isWanted = phase.withLock { phase in
        guard case .starting = phase else { return false }
        phase = .running(server)
        return true
      }
      guard isWanted else { return await stop(server) }
      for address in server.addresses {
        FileHandle.standardOutput.write(Data("webview-server listening on \(address)\n".utf8))
      }
      setup.log.write(.info, "ready", ("version", .text(Program.version)))
    } catch {
      await fail(error, begun)
    }
  }

  /// SIGTERM or SIGINT: the first settles and ends, the second ends at once.
  private func signalled(_ number: Int32) {
    let before = phase.withLock { phase in
      let before = phase
      switch phase {
      case .starting: phase = .unwanted
      case .running: phase = .stopping
      case .unwanted, .stopping: break
      }
      return before
    }
    switch before {
    case .starting: willEnd(by: number)
    case .running(let server):
      willEnd(by: number)
      Task { await self.stop(server) }
    case .unwanted, .stopping: endNow(128 + number)
    }
  }

  private func stop(_ server: RunningServer) async {
    await server.stop(drain: .seconds(setup.configuration.drain))
    setup.log.write(.info, "stopped")
    setup.log.flush()
    await finish(server)
  }

  /// Without a turn of the loop: it would see that the display and the guardian are gone.
  @PageActor
  private func finish(_ server: RunningServer) {
    server.closeDisplay()
    setup.guardian?.end()
    exit(0)
  }

  /// - Parameter server: what was started of it, perhaps with some of its addresses.
  @PageActor
  private func fail(_ error: any Error, _ server: RunningServer?) async {
    forceEnd(after: Self.margin)
    await server?.stop(drain: .zero)
    setup.log.flush()
    Program.complain((error as? ServiceError)?.message ?? "\(error)")
    // Last, and without a turn of the loop until the exit: the display may be among them.
    for pid in ChildProcesses.running(except: Set([setup.guardian?.pid].compactMap(\.self))) {
      kill(pid, SIGKILL)
    }
    setup.guardian?.end()
    exit(1)
  }

  private func willEnd(by number: Int32) {
    setup.log.write(.info, "stopping", ("signal", .integer(Int(number))))
    forceEnd(after: setup.configuration.drain + Self.margin)
  }

  private func forceEnd(after seconds: Double) {
    signals.executor.after(.seconds(seconds)) { [self] in
      setup.log.write(.error, "the server did not stop in time and is ended")
      setup.log.flush()
      endNow(1)
    }
  }

  /// Without a look at what comes of it: the other threads would tell callers that their pages crashed. What is left
  /// is the guardian's. So is the private display, which the kernel asks to end with us: killed it would leave its
  /// socket and lock.
  private func endNow(_ status: Int32) -> Never {
    let spared = setup.guardian.map { ChildProcesses.named("Xvfb").union([$0.pid]) } ?? []
    for pid in ChildProcesses.running(except: spared) { kill(pid, SIGKILL) }
    // Not exit(): its handlers may wait for what is stuck.
    _exit(status)
  }
}
