import Foundation
import Glibc
import HTTPModel
import SoupTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct BodyTests {
  private func chunk(_ count: Int) -> [UInt8] {
    Array("\(String(count, radix: 16))\r\n".utf8) + [UInt8](repeating: 65, count: count) + Array("\r\n".utf8)
  }

  @Test func aBodyOverTheLimitIsRefusedBeforeItIsRead() async throws {
    let handler = ScriptedHandler(limit: 1000, responding: { _, _ in .text("was called", status: 500) })
    try await withServer(handler) { _, bound in
      try await blocking {
        let client = try RawClient(bound)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000000\r\n\r\nonly this")
        let answer = try client.response()
        #expect(answer.status == 413)
        #expect(answer.text == "limit 1000")
        #expect(answer.header("Connection") == "close")
        #expect(answer.header("Server") == "webview-server")
        expectEqual(try client.receive().isEmpty, true)
      }
    }
  }

  @Test func aChunkedBodyIsRefusedOnceItIsOverTheLimit() async throws {
    let handler = ScriptedHandler(limit: 100_000, responding: { _, body in .text("\(body.count)") })
    try await withServer(handler) { _, bound in
      try await blocking {
        let client = try RawClient(bound)
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        client.send(head)
        for _ in 0..<10 { client.send(chunk(10_000)) }
        client.send("0\r\n\r\n")
        expectEqual(try client.response().text, "100000")
        client.send(head)
        // Never ends: the answer comes all the same.
        for _ in 0..<11 { client.send(chunk(10_000)) }
        expectEqual(try client.response().status, 413)
      }
    }
  }

  @Test func aClientThatSendsOnWithoutReadingStillGetsTheAnswer() async throws {
    let handler = ScriptedHandler(limit: 1000)
    try await withServer(handler, options: .with { $0.lingerTimeout = .seconds(10) }) { _, bound in
      try await blocking {
        let client = try RawClient(bound)
        let size = 32 << 20
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n")
        #expect(client.send([UInt8](repeating: 65, count: size)))
        expectEqual(try client.response().status, 413)
      }
    }
  }

  @Test func expectContinueIsRefusedAtOnceOrAnswered() async throws {
    let handler = ScriptedHandler(limit: 10, responding: { _, body in .text("\(body.count)") })
    try await withServer(handler) { _, bound in
      try await blocking {
        let refused = try RawClient(bound)
        refused.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
        expectEqual(try refused.response().status, 413)
        let taken = try RawClient(bound)
        taken.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
        expectEqual(try taken.response(hasBody: false).status, 100)
        taken.send("0123456789")
        expectEqual(try taken.response().text, "10")
      }
    }
  }

  @Test func aDecisionOnTheHeadIsAnsweredBeforeTheBody() async throws {
    let handler = ScriptedHandler(admitting: { _ in .refuse(.text("who?", status: 401)) })
    try await withServer(handler) { _, bound in
      try await blocking {
        let posting = try RawClient(bound)
        posting.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
        let answer = try posting.response()
        #expect(answer.status == 401)
        #expect(answer.text == "who?")
        // Without a body the connection goes on.
        let getting = try RawClient(bound)
        for _ in 0..<3 {
          expectEqual(try getting.get("/").status, 401)
        }
      }
    }
  }

  private func post(_ bound: BoundAddress, _ body: [UInt8], encoding: String = "gzip") async throws
    -> RawClient.Response
  {
    try await blocking {
      let client = try RawClient(bound)
      client.send(
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(body.count)\r\n\r\n"
      )
      client.send(body)
      return try client.response()
    }
  }

  @Test func gzipIsInflatedAndTheLimitHoldsAfterwards() async throws {
    let body = try gzip([UInt8](repeating: 97, count: 40_000))
    let handler = ScriptedHandler(
      limit: 40_000, responding: { _, body in .text("\(body.count) \(body.allSatisfy { $0 == 97 })") })
    try await withServer(handler) { _, bound in
      expectEqual(try await post(bound, body).text, "40000 true")
      expectEqual(try await post(bound, body, encoding: "X-GZIP").text, "40000 true")
      expectEqual(try await post(bound, gzip([UInt8](repeating: 97, count: 40_001))).text, "limit 40000")
      expectEqual(try await post(bound, Array("abc".utf8), encoding: "identity").text, "3 false")
    }
  }

  @Test func damagedOrUnknownEncodingsAreRefused() async throws {
    let body = try gzip(Array("some text that is compressed".utf8))
    try await withServer(ScriptedHandler()) { _, bound in
      expectEqual(try await post(bound, body.dropLast(5)).text, "malformed")
      expectEqual(try await post(bound, body + [1]).text, "malformed")
      expectEqual(try await post(bound, body + body).text, "malformed")
      expectEqual(try await post(bound, Array("no gzip".utf8)).text, "malformed")
      let unknown = try await post(bound, body, encoding: "br")
      #expect(unknown.status == 415)
      #expect(unknown.text == "no br")
    }
  }

  @Test func aSlowBodyMeetsItsDeadline() async throws {
    try await withServer(ScriptedHandler(), options: .with { $0.bodyTimeout = .milliseconds(200) }) {
      _, bound in
      try await blocking {
        let client = try RawClient(bound)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
        let answer = try client.response()
        #expect(answer.status == 408)
        #expect(answer.text == "slow")
      }
    }
  }

  @Test func slowHeadersAndIdleConnectionsAreClosed() async throws {
    try await withServer(
      ScriptedHandler(),
      options: .with {
        $0.headerTimeout = .milliseconds(200)
        $0.idleTimeout = .milliseconds(200)
      }
    ) { server, bound in
      try await blocking {
        let silent = try RawClient(bound)
        let slow = try RawClient(bound)
        slow.send("GET / HTTP/1.1\r\nHos")
        let idle = try RawClient(bound)
        expectEqual(try idle.get("/").status, 200)
        let late = try RawClient(bound)
        expectEqual(try late.get("/").status, 200)
        late.send("GET /second HTTP/1.1\r\n")
        for client in [silent, slow, idle, late] {
          expectEqual(try client.receiveToEnd().isEmpty, true)
        }
      }
      await eventually("they are forgotten") { await server.connectionCount == 0 }
    }
  }

  @Test func anAnswerInTimeIsNotCutOffByTheHeadersDeadline() async throws {
    let handler = ScriptedHandler(responding: { _, _ in
      try? await Task.sleep(for: .milliseconds(400))
      return .text("late")
    })
    try await withServer(
      handler,
      options: .with {
        $0.headerTimeout = .milliseconds(100)
        $0.bodyTimeout = .milliseconds(100)
        $0.writeTimeout = .milliseconds(100)
        $0.idleTimeout = .milliseconds(100)
      }
    ) { _, bound in
      expectEqual(try await blocking { try RawClient(bound).get("/").text }, "late")
    }
  }
}

/// By the `gzip` program, so that it is not our own library that is believed.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["gzip", "-c"]
  let input = Pipe()
  let output = Pipe()
  process.standardInput = input
  process.standardOutput = output
  try process.run()
  try input.fileHandleForWriting.write(contentsOf: Data(bytes))
  try input.fileHandleForWriting.close()
  let result = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return [UInt8](result)
}
