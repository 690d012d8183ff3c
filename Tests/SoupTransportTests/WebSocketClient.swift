import Foundation
import HTTPModel
import SoupTransport
import Synchronization

/// A client that sends and reads single frames.
final class WebSocketClient: Sendable {
  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var text: String { String(decoding: payload, as: UTF8.self) }
    var closeCode: Int { payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]) }
  }

  let raw: RawClient
  let handshake: RawClient.Response

  static func request(_ extra: String = "") -> String {
    "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(extra)\r\n"
  }

  /// - Parameter early: sent in the same packet as the handshake.
  init(_ bound: BoundAddress, headers: String = "", early: [UInt8] = []) throws {
    raw = try RawClient(bound)
    raw.send(Array(Self.request(headers).utf8) + early)
    handshake = try raw.response(hasBody: false)
  }

  static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
    var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
    switch payload.count {
    case ...125: bytes.append(0x80 | UInt8(payload.count))
    case ...0xffff: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    default:
      bytes.append(0x80 | 127)
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - $0 * 8)) }
    }
    bytes += mask
    bytes += payload.enumerated().map { $1 ^ mask[$0 & 3] }
    return bytes
  }

  @discardableResult
  func send(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> Bool {
    raw.send(Self.frame(opcode, payload, isFinal: isFinal))
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(1, Array(text.utf8)) }

  func receive() throws -> Frame {
    let start = try raw.receive(exactly: 2)
    var length = Int(start[1] & 0x7f)
    if length >= 126 {
      length = try raw.receive(exactly: length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
    }
    return Frame(opcode: start[0] & 0x0f, payload: try raw.receive(exactly: length))
  }
}

/// Records what a session hears; by default it echoes.
final class RecordingSession: WebSocketSession {
  enum Heard: Sendable, Equatable {
    case opened
    case message(WebSocketMessage)
    case tooLarge(Int)
    case closed(Int)
  }
  private let heard = Mutex<[Heard]>([])
  private let echoes: Bool
  let connection = Event<any WebSocketConnection>()
  let end = Event<Int>()
  private let held = Mutex<(any WebSocketConnection)?>(nil)

  init(echoes: Bool = true) { self.echoes = echoes }

  var all: [Heard] { heard.withLock { $0 } }

  func opened(_ connection: any WebSocketConnection) {
    heard.withLock { $0.append(.opened) }
    held.withLock { $0 = connection }
    self.connection.happen(connection)
  }
  func received(_ message: WebSocketMessage) {
    heard.withLock { $0.append(.message(message)) }
    if echoes { held.withLock { $0 }?.send(message) }
  }
  func receivedTooLarge(limit: Int) {
    heard.withLock { $0.append(.tooLarge(limit)) }
    held.withLock { $0 }?.send(.text("too large"))
  }
  func closed(code: Int) {
    heard.withLock { $0.append(.closed(code)) }
    held.withLock { $0 = nil }
    end.happen(code)
  }
}
