import Foundation
import GLibBridge
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProcessTests {
  /// Lives as long as the test process, as a spawning thread must.
  private static let thread = LoopThread(name: "spawner")

  private func spawn(_ arguments: [String], descriptors: [Int32: Int32] = [:]) async throws -> ChildProcess {
    try await withCheckedThrowingContinuation { continuation in
      Self.thread.executor.post {
        continuation.resume(
          with: Result {
            try ChildProcess.spawn(arguments, descriptors: descriptors, reapedBy: Self.thread.executor)
          })
      }
    }
  }

  @Test func theExitCodeIsTold() async throws {
    let child = try await spawn(["sh", "-c", "exit 7"])
    let status = await child.exitStatus()
    #expect(status.code == 7)
    #expect(status.signal == nil)
    #expect(!child.isRunning)
    #expect(!child.send(SIGTERM))
  }

  @Test func aProgramThatDoesNotExistIsAnError() async throws {
    await #expect(throws: GLibError.self) { try await spawn(["/nowhere/to/be/found"]) }
  }

  @Test func descriptorsAreMappedAndNoSignalIsBlocked() async throws {
    let pipe = Pipe()
    let child = try await spawn(
      ["sh", "-c", "grep SigBlk /proc/self/status >&3"],
      descriptors: [3: pipe.fileHandleForWriting.fileDescriptor])
    try pipe.fileHandleForWriting.close()
    let text = try #require(String(data: pipe.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8))
    #expect(text == "SigBlk:\t0000000000000000\n")
    let status = await child.exitStatus()
    #expect(status.code == 0)
  }

  @Test func terminateKillsWhatIgnoresIt() async throws {
    let pipe = Pipe()
    let child = try await spawn(
      ["sh", "-c", "trap '' TERM; echo ready >&3; while :; do read line || exec sleep 1000; done"],
      descriptors: [3: pipe.fileHandleForWriting.fileDescriptor])
    try pipe.fileHandleForWriting.close()
    let ready = try await blocking { try pipe.fileHandleForReading.read(upToCount: 5) }
    #expect(ready?.count == 5)
    let status = await child.terminate(grace: .milliseconds(50))
    #expect(status.signal == SIGKILL)
  }

  @Test func terminateIsEnoughForTheRest() async throws {
    let child = try await spawn(["sleep", "1000"])
    let status = await child.terminate(grace: .seconds(30))
    #expect(status.signal == SIGTERM)
  }

  @Test func aPrivateDisplayIsNamedAndGoesAway() async throws {
    let display = try await withCheckedThrowingContinuation { continuation in
      Self.thread.executor.post {
        continuation.resume(
          with: Result { try Xvfb.start(screen: "640x480x24", reapedBy: Self.thread.executor) })
      }
    }
    #expect(display.display.wholeMatch(of: /:[0-9]+/) != nil)
    #expect(display.process.isRunning)
    let status = await display.process.terminate()
    #expect(status.code == 0 || status.signal == SIGTERM)
  }
}
