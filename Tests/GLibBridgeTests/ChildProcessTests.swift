import Foundation
import GLibBridge
import Glibc
import Synchronization
import Testing

/// Spawns on a loop's thread, which lives as long as the test process, as a spawning thread must.
func spawn(
  _ arguments: [String], environment: [String]? = nil, descriptors: [Int32: Int32] = [:],
  on loop: LoopExecutor = LoopActor.loop
) async throws -> ChildProcess {
  try await withCheckedThrowingContinuation { continuation in
    loop.post {
      continuation.resume(
        with: Result {
          try ChildProcess.spawn(
            arguments, environment: environment, descriptors: descriptors, reapedBy: loop)
        })
    }
  }
}

func openDescriptors() throws -> Int {
  try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}

/// Waits for the loop to let go of those of what has just ended, which may have been among the first too.
func expectNoMoreDescriptors(than count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws
{
  let deadline = ContinuousClock.now + .seconds(20)
  while try openDescriptors() > count, ContinuousClock.now < deadline { await Task.yield() }
  #expect(try openDescriptors() <= count, sourceLocation: sourceLocation)
}

extension ChildProcess {
  /// How it ended, once it has; an error where it does not.
  var end: ExitStatus {
    get async throws {
      let end = Arrival<ExitStatus>()
      onExit { end.send($0) }
      return try await end.value
    }
  }
}

/// What the child writes to its descriptor 3, once it and everybody else closed that.
private func told(_ script: String, environment: [String]? = nil) async throws -> String {
  let pipe = Pipe()
  let child = try await spawn(
    ["/bin/sh", "-c", script], environment: environment,
    descriptors: [3: pipe.fileHandleForWriting.fileDescriptor])
  try pipe.fileHandleForWriting.close()
  let text = Arrival<String>()
  DispatchQueue.global().async {
    text.send(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
  }
  #expect(try await child.end.code == 0)
  return try await text.value
}

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
  @Test func theExitCodeIsTold() async throws {
    let child = try await spawn(["sh", "-c", "exit 7"])
    let status = await child.exitStatus()
    #expect(status.code == 7)
    #expect(status.signal == nil)
    #expect(!child.isRunning)
    #expect(!child.send(SIGTERM))
  }

  @Test func theSignalThatEndedItIsTold() async throws {
    let child = try await spawn(["sleep", "1000"])
    #expect(child.isRunning)
    #expect(child.send(SIGKILL))
    let status = try await child.end
    #expect(status.signal == SIGKILL)
    #expect(status.code == nil)
  }

  @Test func aProgramThatDoesNotExistIsAnErrorByDomainAndCode() async throws {
    let error = await #expect(throws: GLibError.self) { try await spawn(["/nowhere/to/be/found"]) }
    #expect(error?.domain == "g-exec-error-quark")
    #expect(error?.code == 8, "G_SPAWN_ERROR_NOENT")
  }

  @Test func whoeverAsksIsToldOnceBeforeAndAfterTheEnd() async throws {
    let counts = Mutex([0, 0, 0])
    let child = try await spawn(["sleep", "1000"])
    for number in 0..<2 { child.onExit { _ in counts.withLock { $0[number] += 1 } } }
    child.send(SIGTERM)
    #expect(try await child.end.signal == SIGTERM)
    child.onExit { status in counts.withLock { $0[2] += status.signal == SIGTERM ? 1 : 100 } }
    #expect(counts.withLock { $0 } == [1, 1, 1])
  }

  @Test func anEndedChildIsNoZombie() async throws {
    let child = try await spawn(["true"])
    _ = try await child.end
    // A zombie still has its number.
    #expect(kill(child.pid, 0) == -1 && errno == ESRCH)
  }

  @Test func noSignalIsBlockedInTheChild() async throws {
    #expect(try await told("grep SigBlk /proc/self/status >&3") == "SigBlk:\t0000000000000000\n")
  }

  @Test func theChildGetsNoDescriptorButThoseNamed() async throws {
    // One that exec alone would hand down.
    var pipe: [Int32] = [-1, -1]
    try #require(Glibc.pipe(&pipe) == 0)
    defer { for descriptor in pipe { close(descriptor) } }
    let script =
      "for n in 3 \(pipe[0]) \(pipe[1]); do [ -e /proc/$$/fd/$n ] && echo $n; done >&3; echo end >&3"
    #expect(try await told(script) == "3\nend\n")
  }

  @Test func standardInputIsEmptyAndTheEnvironmentIsTheOneGiven() async throws {
    let text = try await told("wc -c >&3; echo $NAME >&3; echo ${HOME-none} >&3", environment: ["NAME=given"])
    #expect(text == "0\ngiven\nnone\n")
  }

  @Test func terminateKillsWhatIgnoresIt() async throws {
    let pipe = Pipe()
    let child = try await spawn(
      ["sh", "-c", "trap '' TERM; echo ready >&3; while :; do read line || exec sleep 1000; done"],
      descriptors: [3: pipe.fileHandleForWriting.fileDescriptor])
    try pipe.fileHandleForWriting.close()
    let ready = Arrival<Int>()
    DispatchQueue.global().async {
      ready.send((try? pipe.fileHandleForReading.read(upToCount: 5)).flatMap { $0?.count } ?? 0)
    }
    #expect(try await ready.value == 5)
    let status = await child.terminate(grace: .milliseconds(50))
    #expect(status.signal == SIGKILL)
  }

  @Test func terminateIsEnoughForTheRest() async throws {
    let child = try await spawn(["sleep", "1000"])
    let status = await child.terminate(grace: .seconds(30))
    #expect(status.signal == SIGTERM)
    #expect(await child.terminate() == status, "of one that has ended")
  }

  @Test func aChildEndsWithTheThreadThatStartedIt() async throws {
    let spawned = Arrival<Result<ChildProcess, any Error>>()
    Thread.detachNewThread {
      spawned.send(Result { try ChildProcess.spawn(["sleep", "1000"], reapedBy: LoopActor.loop) })
    }
    let child = try await spawned.value.get()
    defer { child.send(SIGKILL) }
    #expect(try await child.end.signal == SIGTERM)
  }

  @Test func childrenLeaveNoDescriptorBehind() async {
    // In a process where nobody else opens any meanwhile.
    await #expect(processExitsWith: .success) {
      let own = Pipe()
      func round() async throws {
        let child = try await spawn(["true"], descriptors: [3: own.fileHandleForWriting.fileDescriptor])
        #expect(try await child.end.code == 0)
        await #expect(throws: GLibError.self) { try await spawn(["/nowhere"]) }
        let slow = try await spawn(["sleep", "1000"])
        #expect(await slow.terminate().signal == SIGTERM)
      }
      // What is opened once: GLib's own pipe for children that end, Dispatch's descriptors for timers.
      try await Task.sleep(for: .milliseconds(1))
      for _ in 0..<3 { try await round() }
      let before = try openDescriptors()
      for _ in 0..<10 { try await round() }
      try await expectNoMoreDescriptors(than: before)
    }
  }
}
