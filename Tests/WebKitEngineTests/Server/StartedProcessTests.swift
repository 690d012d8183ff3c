import Foundation
import GLibBridge
import Glibc
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct StartedProcessTests {
  /// A process that takes a name of the engine's when it reads a line.
  private final class Child {
    private let process = Process()
    private let input = Pipe()
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init(named name: String = "WebKitWebProcess") throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      // The kernel takes a process's name from the path that it was started by.
      let program = folder.appending(path: name)
      try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program.path)
      process.executableURL = URL(filePath: "/bin/bash")
      // The command line must not tell it before.
      process.arguments = ["-c", "read && exec \"$PROGRAM\" 60"]
      process.environment = ["PROGRAM": program.path]
      process.standardInput = input
      try process.run()
    }

    var identifier: Int32 { process.processIdentifier }
    func takeName() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    /// Returns when it is reaped.
    func end() {
      kill(identifier, SIGKILL)
      process.waitUntilExit()
    }

    deinit {
      end()
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// Only these: other tests have children, too.
  private func known(_ children: [Child]) -> KnownChildren {
    KnownChildren(lists: [{ children.map(\.identifier) }])
  }

  @Test func aProcessThatIsNamedLateIsFound() async throws {
    let children = KnownChildren()
    children.see(WebProcesses.childrenByParent())
    let child = try Child()
    var ends = 0
    let started = StartedProcess(newOf: children) { ends += 1 }
    #expect(started.identifier == nil)
    try child.takeName()
    wait { started.identifier != nil }
    #expect(started.identifier == child.identifier && ends == 0)
    started.kill()
    try await EngineHarness.until("the end is told") { ends > 0 }
    #expect(started.identifier == nil && ends == 1)
  }

  @Test func whatWasThereBeforeIsNone() throws {
    let child = try Child()
    try child.takeName()
    wait { WebProcesses.resolve(child.identifier) != nil }
    #expect(WebProcesses.resolve(child.identifier) == child.identifier)
    let children = KnownChildren()
    children.see(WebProcesses.childrenByParent())
    #expect(StartedProcess(newOf: children) {}.identifier == nil)
  }

  @Test func theEndOfOneThatIsGoneBeforeTheFirstLookIsToldLater() async throws {
    let child = try Child()
    child.end()
    var ends = 0
    let started = StartedProcess(newOf: known([child])) { ends += 1 }
    #expect(ends == 0, "nobody is called back from inside of their own call")
    try await EngineHarness.until("the end is told") { ends > 0 }
    #expect(!started.isThere && ends == 1)
  }

  /// The kernel may still show it as the program that starts it.
  @Test func oneThatIsStillToBeAnotherProgramIsFoundLater() async throws {
    let child = try Child()
    var looks = 0
    let children = KnownChildren(lists: [
      {
        looks += 1
        return looks > 1 ? [child.identifier] : []
      }
    ])
    var ends = 0
    let started = StartedProcess(newOf: children) { ends += 1 }
    #expect(!started.isThere)
    try child.takeName()
    try await EngineHarness.until("it is found") { started.identifier != nil }
    #expect(started.identifier == child.identifier && ends == 0)
    child.end()
    try await EngineHarness.until("the end is told") { ends > 0 }
  }

  @Test func anotherNewChildMayEndWhileItHasNoName() async throws {
    let (child, other) = (try Child(), try Child())
    var ends = 0
    let started = StartedProcess(newOf: known([child, other])) { ends += 1 }
    try await end(other)
    #expect(ends == 0)
    try child.takeName()
    try await EngineHarness.until("it is found") { started.identifier != nil }
    #expect(started.identifier == child.identifier)
    child.end()
    try await EngineHarness.until("the end is told") { ends > 0 }
    #expect(ends == 1)
  }

  @Test func theEndOfTheOneIsToldThoughAnotherNewChildIsThere() async throws {
    let (child, other) = (try Child(), try Child())
    var ends = 0
    let started = StartedProcess(newOf: known([child, other])) { ends += 1 }
    try child.takeName()
    try await EngineHarness.until("it is found") { started.identifier != nil }
    child.end()
    try await EngineHarness.until("the end is told") { ends > 0 }
    try await end(other)
    #expect(ends == 1)
  }

  @Test func theEndOfOneThatNeverHadANameIsTold() async throws {
    let (child, other) = (try Child(), try Child())
    var ends = 0
    let started = StartedProcess(newOf: known([child, other])) { ends += 1 }
    child.end()
    other.end()
    try await EngineHarness.until("the end is told") { ends > 0 }
    #expect(ends == 1 && !started.isThere)
  }

  @Test func theNetworkProcessIsNone() throws {
    let child = try Child(named: "WebKitNetworkProcess")
    let children = known([child])
    #expect(children.new(of: [child.identifier]) == [child.identifier], "it is not there yet")
    try child.takeName()
    wait { WebProcesses.isNetworkProcess(program: ProcessFiles.program(of: child.identifier)) }
    #expect(children.new(of: [child.identifier]) == [])
  }

  /// Returns when its end was told to all who watched it before.
  private func end(_ child: Child) async throws {
    var isTold = false
    let watch = ProcessWatch(child.identifier) { isTold = true }
    child.end()
    try await EngineHarness.until("the end is told") { isTold }
    #expect(watch != nil)
  }

  /// Nobody tells of a process's name; the deadline is only for a test that fails.
  private func wait(until isMet: () -> Bool) {
    let end = ContinuousClock.now + .seconds(20)
    while !isMet(), ContinuousClock.now < end { sched_yield() }
  }
}
