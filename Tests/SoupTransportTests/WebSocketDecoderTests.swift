import HTTPModel
import Testing

@testable import SoupTransport

@Suite struct WebSocketDecoderTests {
  private func events(_ parts: [[UInt8]], limit: Int = 1 << 20) throws -> [WebSocketDecoder.Event] {
    var decoder = WebSocketDecoder(maximumMessageBytes: limit)
    var events: [WebSocketDecoder.Event] = []
    for part in parts { try part.withUnsafeBytes { try decoder.feed($0, into: &events) } }
    return events
  }

  @Test func anySplitOfTheBytesGivesTheSameEvents() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<30 {
      var bytes: [UInt8] = []
      var expected: [WebSocketDecoder.Event] = []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let size = [0, 1, 7, 8, 9, 125, 126, 300].randomElement(using: &generator)!
        let payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let cut = Int.random(in: 0...size, using: &generator)
        bytes += WebSocketClient.frame(2, Array(payload[..<cut]), isFinal: false)
        if Bool.random(using: &generator) {
          bytes += WebSocketClient.frame(10, [1])
          expected.append(.pong)
        }
        bytes += WebSocketClient.frame(0, Array(payload[cut...]))
        expected.append(.message(.binary(payload)))
      }
      var parts: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(rest.count, [1, 2, 3, 13, 1000].randomElement(using: &generator)!)
        parts.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      let found = try events(parts)
      #expect(found == expected)
    }
  }

  @Test func everyFormOfALengthIsRead() throws {
    for size in [125, 126, 65535, 65536] {
      let payload = [UInt8](repeating: 9, count: size)
      let found = try events([WebSocketClient.frame(2, payload)])
      #expect(found == [.message(.binary(payload))])
    }
  }

  @Test func aLengthThatIsNotTheShortestIsRefused() {
    #expect(throws: WebSocketDecoder.Failure.protocolError) {
      try events([[0x82, 0x80 | 126, 0, 125, 0, 0, 0, 0]])
    }
    #expect(throws: WebSocketDecoder.Failure.protocolError) {
      try events([[0x82, 0x80 | 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0]])
    }
    #expect(throws: WebSocketDecoder.Failure.protocolError) {
      try events([[0x82, 0x80 | 127, 0x80, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]])
    }
  }

  @Test func aTooLargeFrameIsRefusedByItsHeaderAlone() {
    #expect(throws: WebSocketDecoder.Failure.tooLarge(limit: 10)) {
      try events([Array(WebSocketClient.frame(2, [UInt8](repeating: 0, count: 11)).prefix(6))], limit: 10)
    }
    #expect(throws: WebSocketDecoder.Failure.tooLarge(limit: 10)) {
      try events([[0x82, 0x80 | 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]], limit: 10)
    }
  }

  @Test func encodedFramesAreWhatAClientReads() {
    var output: [UInt8] = []
    WebSocketEncoder.append(.text("hé"), to: &output)
    WebSocketEncoder.append(.binary([UInt8](repeating: 1, count: 126)), to: &output)
    WebSocketEncoder.appendPing(to: &output)
    WebSocketEncoder.appendClose(code: 1009, reason: String(repeating: "é", count: 100), to: &output)
    #expect(Array(output.prefix(5)) == [0x81, 3, 0x68, 0xc3, 0xa9])
    #expect(Array(output[5..<9]) == [0x82, 126, 0, 126])
    let close = output.suffix(2 + 2 + 122)
    #expect(Array(close.prefix(4)) == [0x88, 124, 0x03, 0xf1])
  }
}
