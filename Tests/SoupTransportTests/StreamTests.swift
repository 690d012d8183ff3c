import HTTPModel
import SoupTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct StreamTests {
  private static let piece = [UInt8](repeating: 66, count: 64 << 10)

  @Test(arguments: [nil, 3 * (64 << 10)])
  func aStreamArrivesWholeAndInOrder(length: Int?) async throws {
    let handler = ScriptedHandler(responding: { _, _ in
      HTTPResponse(
        status: 200,
        body: .stream(length: length) { writer in
          for index in 0..<3 {
            var piece = Self.piece
            piece[0] = UInt8(index)
            try await writer.write(piece)
            if index == 1 { await Task.yield() }
          }
        })
    })
    try await withServer(handler) { _, bound in
      try await blocking {
        let client = try RawClient(bound)
        for _ in 0..<2 {
          let answer = try client.get("/")
          #expect(answer.body.count == 3 * Self.piece.count)
          #expect((0..<3).map { answer.body[$0 * Self.piece.count] } == [0, 1, 2])
          #expect((answer.header("Content-Length") == nil) == (length == nil))
        }
        let head = try client.get("/", method: "HEAD")
        #expect(head.status == 200)
        expectEqual(try client.get("/").status, 200)
      }
    }
  }

  @Test func anOldClientGetsAStreamWithoutChunks() async throws {
    let handler = ScriptedHandler(responding: { _, _ in
      HTTPResponse(
        status: 200,
        body: .stream(length: nil) { writer in
          try await writer.write(Array("one ".utf8))
          try await writer.write(Array("two".utf8))
        })
    })
    try await withServer(handler) { _, bound in
      try await blocking {
        let client = try RawClient(bound)
        client.send("GET / HTTP/1.0\r\nHost: x\r\n\r\n")
        let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
        #expect(all.hasSuffix("\r\n\r\none two"))
      }
    }
  }

  @Test func theProducerWaitsForTheClient() async throws {
    let written = Mutex(0)
    let total = 1000
    let handler = ScriptedHandler(responding: { _, _ in
      HTTPResponse(
        status: 200,
        body: .stream(length: nil) { writer in
          for _ in 0..<total {
            try await writer.write(Self.piece)
            written.withLock { $0 += 1 }
          }
        })
    })
    try await withServer(handler) { _, bound in
      let client = try RawClient(bound)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try await blocking { try client.receive(exactly: 1) }
      // Unread, it comes to rest when the kernel's buffers are full, long before its end.
      var last = -1
      await eventually("the producer comes to rest") {
        let now = written.withLock { $0 }
        for _ in 0..<20_000 { await Task.yield() }
        defer { last = now }
        return now > 0 && now == last && written.withLock { $0 } == now
      }
      #expect(written.withLock { $0 } < total)
      try await blocking {
        _ = try client.receiveText(until: "\r\n\r\n")
        var count = 0
        while true {
          let size = Int(try client.receiveText(until: "\r\n").dropLast(), radix: 16) ?? -1
          count += try client.receive(exactly: size + 2).count - 2
          if size == 0 { break }
        }
        #expect(count == total * Self.piece.count)
      }
    }
  }

  @Test func aStreamThatFailsDoesNotLookWhole() async throws {
    struct Broken: Error {}
    let handler = ScriptedHandler(responding: { head, _ in
      HTTPResponse(
        status: 200,
        body: .stream(length: head.path == "/short" ? 100 : nil) { writer in
          try await writer.write([1, 2, 3])
          if head.path == "/broken" { throw Broken() }
        })
    })
    try await withServer(handler) { _, bound in
      try await blocking {
        for path in ["/broken", "/short"] {
          let client = try RawClient(bound)
          client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
          let all = String(decoding: try client.receiveToEnd(), as: UTF8.self)
          #expect(!all.hasSuffix("0\r\n\r\n"))
          #expect(all.hasPrefix("HTTP/1.1 200"))
        }
      }
    }
  }

  @Test func theProducerHearsThatTheClientLeft() async throws {
    let failed = Event<Void>()
    let handler = ScriptedHandler(responding: { _, _ in
      HTTPResponse(
        status: 200,
        body: .stream(length: nil) { writer in
          do {
            while true { try await writer.write(Self.piece) }
          } catch {
            failed.happen()
            throw error
          }
        })
    })
    try await withServer(handler) { server, bound in
      var client: RawClient? = try RawClient(bound)
      client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      if let client { _ = try await blocking { try client.receive(exactly: 1000) } }
      client = nil
      await failed.value
      await eventually("the connection is gone") { await server.connectionCount == 0 }
    }
  }

  @Test func aReaderThatTakesNothingIsCutOff() async throws {
    let finished = Event<FinishedRequest>()
    let handler = ScriptedHandler(responding: { _, _ in
      HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 1, count: 64 << 20)))
    })
    try await withServer(
      handler,
      options: .with {
        $0.writeTimeout = .milliseconds(300)
        $0.onFinished = { finished.happen($0) }
      }
    ) { server, bound in
      let client = try RawClient(bound)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(await finished.value.status == 200)
      await eventually("the connection is gone") { await server.connectionCount == 0 }
    }
  }
}
