import Foundation
import GLibBridge
import Glibc
import Testing

/// Blocked while a display starts, and so not the one of other tests.
private let thread = LoopThread(name: "displays")

private func startXvfb(
  deadline: Duration = .seconds(15), onMessage: @escaping @Sendable (String) -> Void = { _ in }
) async throws -> Xvfb {
  let display = Arrival<Result<Xvfb, any Error>>()
  thread.executor.post {
    display.send(
      Result {
        try Xvfb.start(
          screen: "640x480x24", deadline: deadline, reapedBy: thread.executor, onMessage: onMessage)
      })
  }
  return try await display.value.get()
}

/// Makes this script what `Xvfb` is in PATH, or leaves PATH without one: for a process of a test's own.
private func standIn(_ script: String?) throws -> String {
  let folder = NSTemporaryDirectory() + "xvfb-\(UUID().uuidString)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  if let script {
    try "#!/bin/sh\n\(script)\n".write(toFile: folder + "/Xvfb", atomically: true, encoding: .utf8)
    chmod(folder + "/Xvfb", 0o755)
  }
  setenv("PATH", folder, 1)
  return folder
}

/// Processes that this one started and has not reaped.
private func children() -> String {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return threads.map {
    (try? String(contentsOfFile: "/proc/self/task/\($0)/children", encoding: .utf8)) ?? ""
  }
  .joined()
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct XvfbTests {
  @Test func aPrivateDisplayIsNamedAndGoesAway() async throws {
    let display = try await startXvfb()
    #expect(display.display.wholeMatch(of: /:[0-9]+/) != nil)
    #expect(display.process.isRunning)
    let status = await display.process.terminate(grace: .seconds(20))
    #expect(status.code == 0 || status.signal == SIGTERM)
  }

  @Test func eachHasADisplayOfItsOwn() async throws {
    let (first, second) = (try await startXvfb(), try await startXvfb())
    #expect(first.display != second.display)
    for display in [first, second] { await display.process.terminate(grace: .seconds(20)) }
  }

  @Test func itEndsWithItsOwner() async throws {
    let started = Arrival<Result<Xvfb, any Error>>()
    // The kernel takes the starting thread for the owner, and its end for the process's.
    Thread.detachNewThread {
      started.send(Result { try Xvfb.start(screen: "640x480x24", reapedBy: thread.executor) })
    }
    let display = try await started.value.get()
    defer { display.process.send(SIGKILL) }
    let status = try await display.process.end
    #expect(status.code == 0 || status.signal == SIGTERM)
  }

  @Test func oneThatIsNotInstalledIsNamedWithTheRemedy() async {
    await #expect(processExitsWith: .success) {
      let folder = try standIn(nil)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let error = await #expect(throws: Xvfb.Failure.self) { try await startXvfb() }
      let text = error?.description ?? ""
      #expect(text.contains("Xvfb cannot be started") && text.contains("install the package xvfb"), "\(text)")
    }
  }

  @Test func oneThatEndsTellsItsLastWord() async {
    await #expect(processExitsWith: .success) {
      let folder = try standIn("echo noise >&2; echo 'no room' >&2; exit 1")
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let error = await #expect(throws: Xvfb.Failure.self) { try await startXvfb() }
      #expect(error?.description == "Xvfb ended before it named a display: no room")
    }
  }

  @Test func oneThatNamesNoDisplayIsEndedAfterItsDeadline() async {
    await #expect(processExitsWith: .success) {
      let folder = try standIn("exec /bin/sleep 1000")
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let child = try await spawn(["/bin/sleep", "1000"], on: thread.executor)
      #expect(!children().isEmpty)
      await child.terminate()
      let error = await #expect(throws: Xvfb.Failure.self) {
        try await startXvfb(deadline: .milliseconds(200))
      }
      #expect(error?.description == "Xvfb named no display within 0.2 seconds")
      // Reaped too, which takes a turn of the loop.
      let deadline = ContinuousClock.now + .seconds(20)
      while !children().isEmpty, ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(children().isEmpty)
    }
  }

  @Test func whatItSaysIsHandedOnLineByLine() async {
    await #expect(processExitsWith: .success) {
      let long = String(repeating: "x", count: 5_000)
      let folder = try standIn(
        "echo 7 >&3; exec 3>&-; echo one >&2; echo >&2; echo \(long) >&2; printf 'no newline' >&2")
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (seen, end) = (Journal<String>(), Arrival<Void>())
      let display = try await startXvfb {
        seen.add($0)
        if $0 == "no newline" { end.send() }
      }
      #expect(display.display == ":7")
      try await end.value
      #expect(seen.entries == ["one", String(long.prefix(4_096)), "no newline"])
    }
  }

  @Test func startingLeavesNoDescriptorBehind() async {
    // In a process where nobody else opens any meanwhile.
    await #expect(processExitsWith: .success) {
      func round() async throws { try await startXvfb().process.terminate(grace: .seconds(20)) }
      func refused() async throws {
        let folder = try standIn("exit 1")
        await #expect(throws: Xvfb.Failure.self) { try await startXvfb() }
        try FileManager.default.removeItem(atPath: folder)
        await #expect(throws: Xvfb.Failure.self) { try await startXvfb() }
      }
      try await round()
      let before = try openDescriptors()
      for _ in 0..<3 { try await round() }
      for _ in 0..<3 { try await refused() }
      try await expectNoMoreDescriptors(than: before)
    }
  }
}
