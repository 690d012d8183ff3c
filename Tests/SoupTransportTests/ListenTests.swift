import Foundation
import Glibc
import HTTPModel
import SoupTransport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ListenTests {
  @Test(arguments: [
    ("127.0.0.1:7788", ListenAddress.tcp(host: "127.0.0.1", port: 7788)),
    ("[::1]:0", .tcp(host: "::1", port: 0)),
    ("localhost:80", .tcp(host: "localhost", port: 80)),
    ("unix:/run/x.sock", .unix(path: "/run/x.sock")),
  ])
  func addressesAreUnderstood(text: String, address: ListenAddress) throws {
    expectEqual(try ListenAddress(parsing: text), address)
    #expect(address.description == text)
    #expect(address.isLoopback)
  }

  @Test(arguments: [
    "", "7788", "127.0.0.1", "127.0.0.1:", ":80", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "::1:80",
    "[::1]", "unix:", "http://x:80", "a b:1", "unix:" + String(repeating: "x", count: 108),
  ])
  func othersAreNamedAndExplained(text: String) {
    let error = #expect(throws: ListenAddress.Malformed.self) { try ListenAddress(parsing: text) }
    #expect(error?.description.contains("HOST:PORT") == true)
  }

  @Test func onlyLoopbackIsLoopback() throws {
    #expect(!(try ListenAddress(parsing: "0.0.0.0:1").isLoopback))
    #expect(!(try ListenAddress(parsing: "[::]:1").isLoopback))
    #expect(!(try ListenAddress(parsing: "example.org:1").isLoopback))
    #expect(try ListenAddress(parsing: "127.9.9.9:1").isLoopback)
  }

  @Test func ipv6IsServed() async throws {
    try await withServer(ScriptedHandler(), on: .tcp(host: "::1", port: 0)) { _, bound in
      #expect(bound.description.hasPrefix("http://[::1]:"))
      expectEqual(try await blocking { try RawClient(bound).get("/").text }, "hello")
    }
  }

  @Test func aPortInUseIsNamed() async throws {
    try await withServer(ScriptedHandler()) { _, bound in
      let second = SoupHTTPServer(handler: ScriptedHandler())
      let error = await #expect(throws: ListenFailure.self) { try await second.listen(on: bound.address) }
      #expect(error?.description.contains("in use") == true)
      await second.stop(drain: .zero)
    }
  }

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test func aUnixSocketIsPrivateAndRemovedAtTheEnd() async throws {
    try await withFolder { folder in
      let path = folder + "/s"
      let seen = Event<HTTPRequestHead>()
      let handler = ScriptedHandler(responding: { head, _ in
        seen.happen(head)
        return .text("unix")
      })
      try await withServer(handler, on: .unix(path: path)) { _, bound in
        #expect(bound.description == "unix:\(path)")
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        try await blocking {
          let client = try RawClient(bound)
          for _ in 0..<3 {
            expectEqual(try client.get("/").text, "unix")
          }
          // HTTP/1.0 without Host, which libsoup answers by itself.
          let old = try RawClient(bound)
          old.send("GET / HTTP/1.0\r\n\r\n")
          expectEqual(try old.receiveToEnd().isEmpty, false)
        }
        #expect(await seen.value.isUnixSocket)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func aStaleSocketIsReplacedAndALiveOneIsNot() async throws {
    try await withFolder { folder in
      let path = folder + "/s"
      // As after kill -9: bound, and nobody listens any more.
      let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafeBytes(of: &address) {
        bind(
          stale, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
          socklen_t(MemoryLayout<sockaddr_un>.size))
      }
      #expect(bound == 0)
      close(stale)
      try await withServer(ScriptedHandler(), on: .unix(path: path)) { _, bound in
        expectEqual(try await blocking { try RawClient(bound).get("/").status }, 200)
        let second = SoupHTTPServer(handler: ScriptedHandler())
        await #expect(throws: ListenFailure.self) { try await second.listen(on: .unix(path: path)) }
        await second.stop(drain: .zero)
        expectEqual(try await blocking { try RawClient(bound).get("/").status }, 200)
      }
    }
  }

  @Test func aFileThatIsNoSocketIsKept() async throws {
    try await withFolder { folder in
      let path = folder + "/precious"
      try "text".write(toFile: path, atomically: true, encoding: .utf8)
      let server = SoupHTTPServer(handler: ScriptedHandler())
      let error = await #expect(throws: ListenFailure.self) { try await server.listen(on: .unix(path: path)) }
      #expect(error?.description.contains("no socket") == true)
      expectEqual(try String(contentsOfFile: path, encoding: .utf8), "text")
      await server.stop(drain: .zero)
    }
  }

  @Test func stopLetsWhatIsInFlightFinishAndTakesNothingNew() async throws {
    let begun = Event<Void>()
    let go = Event<Void>()
    let handler = ScriptedHandler(responding: { head, _ in
      guard head.path == "/slow" else { return .text("quick") }
      begun.happen()
      await go.value
      return .text("finished")
    })
    let server = SoupHTTPServer(handler: handler)
    let bound = try await server.listen(on: .tcp(host: "127.0.0.1", port: 0))
    let idle = try RawClient(bound)
    expectEqual(try await blocking { try idle.get("/").text }, "quick")
    let busy = try RawClient(bound)
    busy.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    await begun.value
    async let stopped: Void = server.stop(drain: .seconds(20))
    // The idle one is let go at once, which also shows that stopping has begun.
    #expect(try await blocking { try idle.receive().isEmpty })
    #expect(throws: RawClient.Failure.self) { try RawClient(bound) }
    go.happen()
    let answer = try await blocking { try busy.response() }
    #expect(answer.text == "finished")
    #expect(answer.header("Connection") == "close")
    await stopped
    #expect(await server.connectionCount == 0)
  }

  @Test func whatIsSettledAtTheEndOfTheDrainIsStillAnswered() async throws {
    let begun = Event<Void>()
    let settled = Event<Void>()
    let handler = ScriptedHandler(responding: { _, _ in
      begun.happen()
      await settled.value
      return .text("told")
    })
    let server = SoupHTTPServer(handler: handler)
    let bound = try await server.listen(on: .tcp(host: "127.0.0.1", port: 0))
    let client = try RawClient(bound)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await begun.value
    async let stopped: Void = server.stop(drain: .milliseconds(1)) { settled.happen() }
    #expect(try await blocking { try client.response().text } == "told")
    await stopped
    #expect(await server.connectionCount == 0)
  }

  @Test func stopEndsWhatDoesNotFinish() async throws {
    let begun = Event<Void>()
    let cancelled = Event<Void>()
    let handler = ScriptedHandler.hanging(begun: begun, cancelled: cancelled)
    let server = SoupHTTPServer(handler: handler)
    let bound = try await server.listen(on: .tcp(host: "127.0.0.1", port: 0))
    let client = try RawClient(bound)
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await begun.value
    await server.stop(drain: .milliseconds(100))
    await cancelled.value
    #expect(try await blocking { try client.receive().isEmpty })
    #expect(await server.connectionCount == 0)
  }
}
