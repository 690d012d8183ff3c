import Foundation
import HTTPModel
import Synchronization
import Testing

@testable import SoupTransport

@Suite(.timeLimit(.minutes(1))) struct MalformedRequestTests {
  private static let start = "POST /a HTTP/1.1\r\nHost: x\r\n"
  private static let chunked = start + "Transfer-Encoding: chunked\r\n\r\n"

  @Test(arguments: [
    start + "Content-Length: -5\r\n\r\n{}", start + "Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}",
    start + "Content-Length: 99999999999999999999\r\n\r\n{}", start + "Content-Length : 5\r\n\r\nabcde",
    start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    start + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    chunked + "zz\r\n{}\r\n0\r\n\r\n", chunked + "-2\r\n{}\r\n0\r\n\r\n", chunked + "2\r\n{}xx0\r\n\r\n",
    chunked + "ffffffffffffffff\r\n{}\r\n",
  ])
  func isAnswered400AndItsConnectionCloses(request: String) async throws {
    let paths = Mutex<[String]>([])
    let handler = ScriptedHandler(responding: { head, _ in
      paths.withLock { $0.append(head.path) }
      return .text("hello")
    })
    try await withServer(handler) { _, bound in
      let text = try await blocking {
        let client = try RawClient(bound)
        client.send(
          "GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + request + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
        return String(decoding: try client.receiveToEnd(), as: UTF8.self)
      }
      #expect(text.hasPrefix("HTTP/1.1 200 "))
      #expect(text.contains("HTTP/1.1 400 "))
      #expect(text.components(separatedBy: "HTTP/1.1 ").count == 3)
      #expect(paths.withLock { $0 } == ["/first"])
    }
  }

  @Test(arguments: [
    "GET /a% HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n", "\u{1}nonsense\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/3.0\r\nHost: x\r\n\r\n",
  ])
  func whatLibsoupRefusesHasTheHandlersBody(request: String) async throws {
    try await withServer(ScriptedHandler()) { _, bound in
      let text = try await blocking {
        let client = try RawClient(bound)
        client.send(request)
        return String(decoding: try client.receiveToEnd(), as: UTF8.self)
      }
      #expect(text.hasPrefix("HTTP/1."))
      #expect(text.contains("Content-Type: text/x-malformed\r\n"))
      #expect(text.hasSuffix("\r\n\r\nmalformed"))
    }
  }

  @Test func aHandshakeWithABodyIsRefused() async throws {
    let handler = ScriptedHandler(admitting: { _ in
      .upgrade(protocolName: nil, maximumMessageBytes: 1 << 20, NoSession())
    })
    try await withServer(handler) { _, bound in
      let answer = try await blocking {
        let client = try RawClient(bound)
        client.send(
          "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 5\r\n\r\n")
        return try client.response()
      }
      #expect(answer.status == 400)
    }
  }
}

private final class NoSession: WebSocketSession {
  func opened(_ connection: any WebSocketConnection) {}
  func received(_ message: WebSocketMessage) {}
  func receivedTooLarge(limit: Int) {}
  func closed(code: Int) {}
}
