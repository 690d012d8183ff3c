import Glibc
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct LaunchSocketTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  /// What a reader with this much room for control messages gets; nil: no credentials.
  private func receive(from socket: Int32, room: Int = LaunchSocket.controlLength) -> (
    count: Int, process: Int32?
  ) {
    var byte: UInt8 = 0
    var control = [UInt8](repeating: 0, count: room)
    return withUnsafeMutablePointer(to: &byte) { byte in
      var vector = iovec(iov_base: byte, iov_len: 1)
      return withUnsafeMutablePointer(to: &vector) { vector in
        control.withUnsafeMutableBytes { control in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          let count = recvmsg(socket, &message, 0)
          let isCredentials =
            message.msg_controllen >= MemoryLayout<cmsghdr>.size + 12
            && control.load(fromByteOffset: MemoryLayout<size_t>.size + 4, as: Int32.self)
              == LaunchSocket.credentialsType
          return (
            count,
            isCredentials ? control.load(fromByteOffset: MemoryLayout<cmsghdr>.size, as: Int32.self) : nil
          )
        }
      }
    }
  }

  private func pair(passingCredentials: Bool) throws -> [Int32] {
    var sockets: [Int32] = [0, 0]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
    var value: Int32 = passingCredentials ? 1 : 0
    setsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &value, socklen_t(MemoryLayout<Int32>.size))
    return sockets
  }

  @Test func anEndWithoutAnIdNamesNobody() throws {
    let sockets = try pair(passingCredentials: true)
    defer { close(sockets[0]) }
    close(sockets[1])
    let (count, process) = receive(from: sockets[0])
    #expect(count == 1 && process == LaunchSocket.nobody)
    #expect(kill(LaunchSocket.nobody, 0) == -1 && errno == ESRCH)
  }

  @Test func anIdIsTheKernels() throws {
    let sockets = try pair(passingCredentials: true)
    defer { for socket in sockets { close(socket) } }
    #expect(send(sockets[1], "x", 1, 0) == 1)
    let (count, process) = receive(from: sockets[0])
    #expect(count == 1 && process == getpid())
  }

  @Test func everyOtherSocketEndsAsEver() throws {
    for (isPassing, room) in [(false, LaunchSocket.controlLength), (true, 256), (false, 0)] {
      let sockets = try pair(passingCredentials: isPassing)
      defer { close(sockets[0]) }
      close(sockets[1])
      let (count, process) = receive(from: sockets[0], room: room)
      #expect(count == 0 && process == nil)
    }
  }

  private func stop(_ process: Int32) {
    kill(process, SIGSTOP)
    while ProcessFiles.text("/proc/\(process)/stat")?.contains(") T ") == false { sched_yield() }
  }

  /// Kills what `start` starts before the loop has a turn in which its id could be read.
  private func killing(_ start: () throws -> Void) throws {
    let known = Set(WebProcesses.children(of: getpid()))
    try start()
    let born = WebProcesses.children(of: getpid()).filter { !known.contains($0) }
    try #require(!born.isEmpty)
    for process in born {
      // A sandbox that ends alone, in the moment in which it starts the process inside, leaves that behind.
      stop(process)
      for inner in WebProcesses.children(of: process) { kill(inner, SIGKILL) }
      kill(process, SIGKILL)
    }
  }

  @Test func aProcessThatIsKilledAtItsStartIsOnesPagesLoss() async throws {
    let other = try EngineHarness.page()
    try await other.load(site.url("/a"))
    var made: TestPage?
    // The page's own process and its store's.
    try killing { made = try EngineHarness.page() }
    let page = try #require(made)
    #expect(await page.evaluate("return 1") == .failure(.processTerminated))
    #expect(page.story == "" && page.page.processIdentifier == nil)
    #expect(try await page.load(site.url("/a")) == "W(/a) S(/a) A(200) C(/a) D F(/a)")
    // And one that a load starts.
    page.forget()
    page.page.terminateWebProcess()
    try await page.waitForEnd()
    page.forget()
    try killing { page.page.load(.url(site.url("/b"))) }
    try await page.waitForEnd()
    #expect(page.story == "gone(crashed)")
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    #expect(await other.json("return document.title") == "\"/a\"")
  }

  @Test func aPageThatIsClosedBeforeItsProcessIsThereEndsItAndNothingElse() async throws {
    let other = try EngineHarness.page()
    try await other.load(site.url("/a"))
    let known = Set(WebProcesses.children(of: getpid()))
    let page = try EngineHarness.page()
    let born = WebProcesses.children(of: getpid()).filter {
      !known.contains($0) && ProcessFiles.text("/proc/\($0)/cmdline")?.contains("WebKitWebProcess") == true
    }
    #expect(born.count == 1)
    // As slow to start as on a machine with much to do, and in a sandbox that is just being made.
    if try EngineHarness.engine().sandbox.state == .on {
      while born.allSatisfy({ WebProcesses.children(of: $0).isEmpty }) { sched_yield() }
    }
    for process in born { stop(process) }
    let all = born + born.flatMap(WebProcesses.children)
    page.page.close()
    let end = ContinuousClock.now + .seconds(15)
    while all.contains(where: { WebProcesses.startTime(of: $0) != nil }), ContinuousClock.now < end {
      await Task.yield()
    }
    #expect(all.allSatisfy { WebProcesses.startTime(of: $0) == nil })
    #expect(await other.json("return document.title") == "\"/a\"")
  }
}
