import Foundation
import Glibc
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct StartedProcessTests {
  /// A process that takes the engine's name when it reads a line.
  private final class Child {
    private let process = Process()
    private let input = Pipe()
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    func start() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      // The kernel takes a process's name from the path that it was started by.
      let program = folder.appending(path: "WebKitWebProcess")
      try FileManager.default.createSymbolicLink(atPath: program.path, withDestinationPath: "/bin/sleep")
      process.executableURL = URL(filePath: "/bin/bash")
      // The command line must not tell it before.
      process.arguments = ["-c", "read && exec \"$PROGRAM\" 60"]
      process.environment = ["PROGRAM": program.path]
      process.standardInput = input
      try process.run()
    }

    var identifier: Int32 { process.processIdentifier }
    func takeName() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }
    func waitForEnd() { process.waitUntilExit() }

    func end() throws {
      process.terminate()
      try FileManager.default.removeItem(at: folder)
    }
  }

  @Test func aProcessThatIsNamedLateIsFound() async throws {
    let children = KnownChildren()
    children.see(WebProcesses.childrenByParent())
    let child = Child()
    try child.start()
    defer { try? child.end() }
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
    let child = Child()
    try child.start()
    defer { try? child.end() }
    try child.takeName()
    wait { WebProcesses.resolve(child.identifier) != nil }
    #expect(WebProcesses.resolve(child.identifier) == child.identifier)
    let children = KnownChildren()
    children.see(WebProcesses.childrenByParent())
    #expect(StartedProcess(newOf: children) {}.identifier == nil)
  }

  /// Nobody tells of a process's name; the deadline is only for a test that fails.
  private func wait(until isMet: () -> Bool) {
    let end = ContinuousClock.now + .seconds(20)
    while !isMet(), ContinuousClock.now < end { sched_yield() }
  }
}
