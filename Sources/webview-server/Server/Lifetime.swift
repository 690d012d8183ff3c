import Dispatch
import Foundation
import GLibBridge
import WebViewCore

/// From the start to the exit status: what signals mean at each moment.
@PageActor
final class Lifetime {
  private enum Phase {
    case starting
    /// A signal came before the server was there.
    case unwanted
    case running(RunningServer)
    case stopping
  }

  private var phase = Phase.starting
  private let setup: ServerSetup

  /// Seconds that the end may take beyond the drain before it is forced.
  private static let margin = 8.0

  nonisolated init(_ setup: ServerSetup) { self.setup = setup }

  func start() async {
    var begun: RunningServer?
    do {
      let server = try await RunningServer(setup)
      begun = server
      try await server.listen()
      if case .unwanted = phase { return await stop(server) }
      phase = .running(server)
      for address in server.addresses {
        FileHandle.standardOutput.write(Data("webview-server listening on \(address)\n".utf8))
      }
      setup.log.write(.info, "ready", ("version", .text(Program.version)))
    } catch {
      await fail(error, begun)
    }
  }

  /// SIGTERM or SIGINT: the first settles and ends, the second ends at once.
  func signalled(_ number: Int32) {
    switch phase {
    case .starting:
      phase = .unwanted
    case .running(let server):
      phase = .stopping
      setup.log.write(.info, "stopping", ("signal", .integer(Int(number))))
      Task(executorPreference: setup.loop.taskExecutor) { await self.stop(server) }
    case .unwanted, .stopping:
      for pid in ChildProcesses.running() { kill(pid, SIGKILL) }
      // Not exit(): its handlers may wait for what is stuck.
      _exit(128 + number)
    }
  }

  private func stop(_ server: RunningServer) async {
    phase = .stopping
    forceEnd(after: setup.configuration.drain + Self.margin)
    await server.stop(drain: .seconds(setup.configuration.drain))
    setup.log.write(.info, "stopped")
    setup.log.flush()
    server.closeDisplay()
    exit(0)
  }

  /// - Parameter server: what was started of it, perhaps with some of its addresses.
  private func fail(_ error: any Error, _ server: RunningServer?) async {
    forceEnd(after: Self.margin)
    await server?.stop(drain: .zero)
    setup.log.flush()
    Program.complain((error as? ServiceError)?.message ?? "\(error)")
    // Last, and without a turn of the loop until the exit: the display may be among them.
    for pid in ChildProcesses.running() { kill(pid, SIGKILL) }
    exit(1)
  }

  /// Whatever is stuck, also this actor's thread: the program ends.
  private nonisolated func forceEnd(after seconds: Double) {
    let log = setup.log
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
      log.write(.error, "the server did not stop in time and is ended")
      log.flush()
      for pid in ChildProcesses.running() { kill(pid, SIGKILL) }
      _exit(1)
    }
  }
}
