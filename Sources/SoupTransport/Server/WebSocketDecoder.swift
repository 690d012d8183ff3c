import HTTPModel

/// What a WebSocket client sent (RFC 6455). A value: bytes in, events out.
///
/// Frames are read here rather than by libsoup 3.2, which takes in whatever a client sends before it looks at
/// a frame, has no limit on a message in fragments, and cannot end a too large one with 1009.
struct WebSocketDecoder {
  enum Event: Equatable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong
    /// 1005 when the frame named none.
    case close(code: Int)
  }

  enum Failure: Error, Equatable {
    case protocolError
    case notUTF8
    case tooLarge(limit: Int)

    var closeCode: Int {
      switch self {
      case .protocolError: 1002
      case .notUTF8: 1007
      case .tooLarge: 1009
      }
    }
  }

  private enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10
    var isControl: Bool { rawValue & 8 != 0 }
  }

  private struct Frame {
    var opcode: Opcode
    var isFinal: Bool
    var mask: UInt32
    var maskPhase = 0
    var left: Int
  }

  private let limit: Int
  private var header: [UInt8] = []
  private var frame: Frame?
  /// Of the message whose fragments are coming.
  private var kind: Opcode?
  private var message: [UInt8] = []
  private var control: [UInt8] = []

  init(maximumMessageBytes: Int) {
    limit = maximumMessageBytes
    header.reserveCapacity(14)
  }

  /// Events before a failure are in `events`.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) throws(Failure) {
    var rest = bytes[...]
    while true {
      if frame == nil {
        guard try readHeader(&rest) else { return }
      }
      take(&rest)
      guard frame?.left == 0 else { return }
      try endFrame(&events)
    }
  }

  /// False when more bytes are needed.
  private mutating func readHeader(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(Failure) -> Bool {
    while header.count < Self.headerLength(header) {
      guard let byte = rest.popFirst() else { return false }
      header.append(byte)
      // Refused at its second byte rather than after fourteen.
      if header.count == 2 { try checkStart() }
    }
    let opcode = Opcode(rawValue: header[0] & 0x0f)!
    let short = Int(header[1] & 0x7f)
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    var length = UInt64(short)
    if lengthBytes > 0 {
      length = header[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | UInt64($1) }
      // The shortest form is a must, and the highest bit must be 0.
      guard length >= (lengthBytes == 2 ? 126 : 65536), length >> 63 == 0 else { throw .protocolError }
    }
    if !opcode.isControl, length > UInt64(limit - message.count) { throw .tooLarge(limit: limit) }
    let mask = header.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    frame = Frame(opcode: opcode, isFinal: header[0] & 0x80 != 0, mask: mask, left: Int(length))
    header.removeAll(keepingCapacity: true)
    if !opcode.isControl { message.reserveCapacity(message.count + min(Int(length), 1 << 20)) }
    return true
  }

  private static func headerLength(_ header: [UInt8]) -> Int {
    guard header.count >= 2 else { return 2 }
    switch header[1] & 0x7f {
    case 126: return 2 + 2 + 4
    case 127: return 2 + 8 + 4
    default: return 2 + 4
    }
  }

  private mutating func checkStart() throws(Failure) {
    guard header[0] & 0x70 == 0, let opcode = Opcode(rawValue: header[0] & 0x0f), header[1] & 0x80 != 0 else {
      throw .protocolError
    }
    if opcode.isControl {
      guard header[0] & 0x80 != 0, header[1] & 0x7f <= 125 else { throw .protocolError }
    } else if opcode == .continuation {
      guard kind != nil else { throw .protocolError }
    } else {
      guard kind == nil else { throw .protocolError }
      kind = opcode
    }
  }

  private mutating func take(_ rest: inout Slice<UnsafeRawBufferPointer>) {
    guard var current = frame else { return }
    let count = min(current.left, rest.count)
    if count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      if current.opcode.isControl {
        Self.append(piece, unmaskedBy: current, to: &control)
      } else {
        Self.append(piece, unmaskedBy: current, to: &message)
      }
      rest = rest.dropFirst(count)
      current.left -= count
      current.maskPhase = (current.maskPhase + count) & 3
    }
    frame = current
  }

  private static func append(
    _ piece: UnsafeRawBufferPointer, unmaskedBy frame: Frame, to target: inout [UInt8]
  ) {
    let start = target.count
    target.append(contentsOf: piece)
    let shift = UInt32(frame.maskPhase * 8)
    let mask = shift == 0 ? frame.mask : frame.mask >> shift | frame.mask << (32 - shift)
    target.withUnsafeMutableBytes { bytes in
      let region = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      let wide = UInt64(mask) << 32 | UInt64(mask)
      var index = 0
      while index + 8 <= region.count {
        let word = region.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide.littleEndian
        region.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      while index < region.count {
        region[index] ^= UInt8(truncatingIfNeeded: mask >> UInt32((index & 3) * 8))
        index += 1
      }
    }
  }

  private mutating func endFrame(_ events: inout [Event]) throws(Failure) {
    guard let ended = frame else { return }
    frame = nil
    if ended.opcode.isControl {
      defer { control.removeAll(keepingCapacity: true) }
      switch ended.opcode {
      case .ping: events.append(.ping(control))
      case .pong: events.append(.pong)
      default: events.append(.close(code: try Self.closeCode(control)))
      }
      return
    }
    guard ended.isFinal else { return }
    let isText = kind == .text
    kind = nil
    let whole = message
    message = []
    if isText {
      guard let text = String(validating: whole, as: UTF8.self) else { throw .notUTF8 }
      events.append(.message(.text(text)))
    } else {
      events.append(.message(.binary(whole)))
    }
  }

  private static func closeCode(_ payload: [UInt8]) throws(Failure) -> Int {
    if payload.isEmpty { return 1005 }
    guard payload.count >= 2 else { throw .protocolError }
    let code = Int(payload[0]) << 8 | Int(payload[1])
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw .protocolError
    }
    guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else { throw .notUTF8 }
    return code
  }
}
