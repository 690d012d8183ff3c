import HTTPModel

/// Frames from server to client: whole messages, unmasked.
enum WebSocketEncoder {
  static func append(_ message: WebSocketMessage, to output: inout [UInt8]) {
    switch message {
    case .text(var text):
      text.withUTF8 { appendFrame(0x81, UnsafeRawBufferPointer($0), to: &output) }
    case .binary(let bytes):
      bytes.withUnsafeBytes { appendFrame(0x82, $0, to: &output) }
    }
  }

  static func appendPing(to output: inout [UInt8]) { output += [0x89, 0] }

  static func appendPong(_ payload: [UInt8], to output: inout [UInt8]) {
    payload.withUnsafeBytes { appendFrame(0x8a, $0, to: &output) }
  }

  /// 1005 is for "no code": it is never sent. A reason that does not fit is cut at a character's border.
  static func appendClose(code: Int, reason: String = "", to output: inout [UInt8]) {
    var payload: [UInt8] = []
    if code != 1005 {
      payload = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
      for character in reason {
        guard payload.count + character.utf8.count <= 125 else { break }
        payload += character.utf8
      }
    }
    payload.withUnsafeBytes { appendFrame(0x88, $0, to: &output) }
  }

  private static func appendFrame(
    _ start: UInt8, _ payload: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) {
    output.append(start)
    switch payload.count {
    case ...125: output.append(UInt8(payload.count))
    case ...0xffff: output += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    default:
      output.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        output.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    output.append(contentsOf: payload)
  }
}
