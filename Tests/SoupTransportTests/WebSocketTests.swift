import Dispatch
import HTTPModel
import SoupTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct WebSocketTests {
  private func handler(
    _ session: RecordingSession, protocolName: String? = nil, limit: Int = 1 << 20
  ) -> ScriptedHandler {
    ScriptedHandler(admitting: { _ in
      .upgrade(protocolName: protocolName, maximumMessageBytes: limit, session)
    })
  }

  @Test func messagesAreEchoed() async throws {
    let session = RecordingSession()
    try await withServer(handler(session)) { _, bound in
      try await blocking {
        let client = try WebSocketClient(bound)
        #expect(client.handshake.status == 101)
        #expect(client.handshake.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(client.handshake.header("Sec-WebSocket-Protocol") == nil)
        #expect(client.handshake.header("Sec-WebSocket-Extensions") == nil)
        for payload in [
          [], Array("héllo".utf8), [UInt8](repeating: 97, count: 70_000), Array(repeating: 98, count: 126),
        ] {
          for opcode in [UInt8(1), 2] {
            client.send(opcode, payload)
            let frame = try client.receive()
            #expect(frame == WebSocketClient.Frame(opcode: opcode, payload: payload))
          }
        }
        client.send(8, [0x03, 0xe8])
        let close = try client.receive()
        #expect(close.opcode == 8 && close.closeCode == 1000)
        let rest = try client.raw.receive()
        #expect(rest.isEmpty)
      }
      let code = await session.end.value
      #expect(code == 1000)
      #expect(session.all.first == .opened)
      #expect(session.all.last == .closed(1000))
    }
  }

  @Test func whatComesWithTheHandshakeIsNotLost() async throws {
    try await withServer(handler(RecordingSession())) { _, bound in
      try await blocking {
        let client = try WebSocketClient(bound, early: WebSocketClient.frame(1, Array("early".utf8)))
        let frame = try client.receive()
        #expect(frame.text == "early")
      }
    }
  }

  @Test func theSubprotocolIsEchoed() async throws {
    try await withServer(handler(RecordingSession(), protocolName: "webview-server.v1")) { _, bound in
      try await blocking {
        let client = try WebSocketClient(
          bound, headers: "Sec-WebSocket-Protocol: other, webview-server.v1\r\n")
        #expect(client.handshake.header("Sec-WebSocket-Protocol") == "webview-server.v1")
      }
    }
  }

  @Test func fragmentsAndControlFramesBetweenThemAreOneMessage() async throws {
    let session = RecordingSession()
    try await withServer(handler(session)) { _, bound in
      try await blocking {
        let client = try WebSocketClient(bound)
        client.send(1, Array("one ".utf8), isFinal: false)
        client.send(9, [7])
        client.send(0, Array("two ".utf8), isFinal: false)
        client.send(0, Array("three".utf8))
        let pong = try client.receive()
        #expect(pong == WebSocketClient.Frame(opcode: 10, payload: [7]))
        let frame = try client.receive()
        #expect(frame.text == "one two three")
      }
    }
  }

  @Test func sendsFromAnyThreadKeepTheirOrder() async throws {
    let session = RecordingSession(echoes: false)
    try await withServer(handler(session)) { _, bound in
      let client = try await blocking { try WebSocketClient(bound) }
      let connection = await session.connection.value
      let count = 5000
      DispatchQueue.global().async {
        for index in 0..<count {
          connection.send(
            index % 100 == 0 ? .binary([UInt8](repeating: 1, count: 20_000)) : .text("\(index)"))
        }
        connection.close(code: 1000, reason: "done")
      }
      try await blocking {
        for index in 0..<count {
          let frame = try client.receive()
          if index % 100 == 0 {
            #expect(frame.payload.count == 20_000)
          } else {
            #expect(frame.text == "\(index)")
          }
        }
        let close = try client.receive()
        #expect(close.opcode == 8 && close.closeCode == 1000)
        #expect(close.payload.dropFirst(2).elementsEqual("done".utf8))
        client.send(8, [0x03, 0xe8])
      }
      let code = await session.end.value
      #expect(code == 1000)
    }
  }

  @Test(arguments: [false, true])
  func aTooLargeMessageIsToldAndClosedWith1009(inFragments: Bool) async throws {
    let session = RecordingSession()
    try await withServer(handler(session, limit: 1000)) { _, bound in
      try await blocking {
        let client = try WebSocketClient(bound)
        client.send(1, [UInt8](repeating: 97, count: 1000))
        let fits = try client.receive()
        #expect(fits.payload.count == 1000)
        if inFragments {
          client.send(1, [UInt8](repeating: 97, count: 600), isFinal: false)
          client.send(0, [UInt8](repeating: 97, count: 401))
        } else {
          // Still sending megabytes while the server closes: the answer arrives all the same.
          client.send(2, [UInt8](repeating: 97, count: 4 << 20))
        }
        let told = try client.receive()
        #expect(told.text == "too large")
        let close = try client.receive()
        #expect(close.opcode == 8 && close.closeCode == 1009)
      }
      let code = await session.end.value
      #expect(code == 1009)
      #expect(Array(session.all.suffix(2)) == [.tooLarge(1000), .closed(1009)])
    }
  }

  @Test func aPeerThatDoesNotAnswerPingsIsClosed() async throws {
    let session = RecordingSession()
    try await withServer(handler(session), options: .with { $0.heartbeat = .milliseconds(80) }) {
      server, bound in
      let client = try await blocking {
        let client = try WebSocketClient(bound)
        let first = try client.receive()
        #expect(first == WebSocketClient.Frame(opcode: 9, payload: []))
        // An answered one counts as life.
        client.send(10, [])
        for _ in 0..<2 {
          let next = try client.receive()
          #expect(next.opcode == 9)
        }
        return client
      }
      let code = await session.end.value
      #expect(code == 1006)
      let rest = try await blocking { try client.raw.receive() }
      #expect(rest.isEmpty)
      await eventually("it is forgotten") { await server.connectionCount == 0 }
    }
  }

  @Test func aPeerThatVanishesIsToldOnce() async throws {
    let session = RecordingSession()
    try await withServer(handler(session)) { server, bound in
      var client: WebSocketClient? = try await blocking { try WebSocketClient(bound) }
      _ = await session.connection.value
      _ = client
      client = nil
      let code = await session.end.value
      #expect(code == 1006)
      await eventually("it is forgotten") { await server.connectionCount == 0 }
      #expect(session.all == [.opened, .closed(1006)])
    }
  }

  @Test(
    arguments: [
      ([0xc1, 0x80, 0, 0, 0, 0], 1002),  // a reserved bit
      ([0x81, 0x00], 1002),  // not masked
      ([0x83, 0x80, 0, 0, 0, 0], 1002),  // unknown opcode
      ([0x80, 0x80, 0, 0, 0, 0], 1002),  // continuation of nothing
      ([0x09, 0x80, 0, 0, 0, 0], 1002),  // fragmented ping
      ([0x81, 0x81, 0, 0, 0, 0, 0xff], 1007),  // no UTF-8
      ([0x88, 0x81, 0, 0, 0, 0, 1], 1002),  // half a close code
      ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed], 1002),  // 1005 on the wire
    ] as [([UInt8], Int)])
  func brokenFramesEndTheConnection(bytes: [UInt8], code: Int) async throws {
    let session = RecordingSession()
    try await withServer(handler(session)) { _, bound in
      try await blocking {
        let client = try WebSocketClient(bound)
        client.raw.send(bytes)
        let close = try client.receive()
        #expect(close.opcode == 8 && close.closeCode == code)
      }
      let ended = await session.end.value
      #expect(ended == code)
    }
  }

  @Test func aBadHandshakeIsAnsweredInHTTP() async throws {
    let session = RecordingSession()
    try await withServer(handler(session)) { _, bound in
      try await blocking {
        let client = try RawClient(bound)
        client.send(
          WebSocketClient.request().replacing("dGhlIHNhbXBsZSBub25jZQ==", with: "short"))
        let answer = try client.response()
        #expect(answer.status == 400)
        #expect(answer.header("Sec-WebSocket-Version") == "13")
        let plain = try client.get("/ws")
        #expect(plain.status == 400)
      }
      #expect(!session.all.contains(.opened))
    }
  }

  @Test func whatAReaderDoesNotTakeIsCountedUntilItDoes() async throws {
    let session = RecordingSession(echoes: false)
    try await withServer(handler(session)) { _, bound in
      let client = try await blocking { try WebSocketClient(bound) }
      let connection = await session.connection.value
      let drained = Event<Void>()
      let count = 200
      let size = 256 << 10
      for _ in 0..<count { connection.send(.binary([UInt8](repeating: 5, count: size))) }
      connection.onDrain { drained.happen() }
      // The kernel takes a few megabytes of the fifty.
      #expect(connection.bufferedAmount > count * size / 2)
      let sizes = try await blocking { try (0..<count).map { _ in try client.receive().payload.count } }
      #expect(sizes.allSatisfy { $0 == size })
      await drained.value
      #expect(connection.bufferedAmount == 0)
    }
  }

  @Test func stopClosesWith1001() async throws {
    let session = RecordingSession()
    let server = SoupHTTPServer(handler: handler(session))
    let bound = try await server.listen(on: .tcp(host: "127.0.0.1", port: 0))
    let client = try await blocking { try WebSocketClient(bound) }
    async let stopped: Void = server.stop(drain: .seconds(10))
    let close = try await blocking { try client.receive() }
    #expect(close.opcode == 8 && close.closeCode == 1001)
    client.send(8, [0x03, 0xe9])
    await stopped
    let code = await session.end.value
    #expect(code == 1001)
  }
}
