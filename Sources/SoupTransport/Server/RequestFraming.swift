import Glibc

/// Where each request of a connection begins and ends, read strictly (RFC 9112) from the bytes as they come.
///
/// libsoup reads leniently: of two lengths it takes one, a name with a blank before its colon is passed over,
/// a chunk size that is no number ends the body. Whoever sends such a thing, or a proxy before us, may see the
/// borders of requests elsewhere (request smuggling), so what is not clear is refused.
struct RequestFraming {
  /// One request's head as it came.
  struct Head {
    var line: [UInt8]
    /// What is wrong with it: nothing behind it can be told apart.
    var problem: String?
  }

  private enum State {
    case head
    /// Bytes that are left of a body with a length.
    case data(Int)
    case chunkSize
    case chunkData(Int)
    case chunkEnd
    case trailer
    /// Behind a fault, or in a line too long to be one: nothing is known any more.
    case lost
  }

  /// libsoup's own limit for a head is 100 KiB.
  private static let lineLimit = 128 << 10

  private var state = State.head
  private var line: [UInt8] = []
  private var parser = RequestHeadParser()
  /// Read ahead of libsoup: pipelined requests come in one piece.
  private var heads: [Head] = []
  /// How many requests were taken; the last one is `number`.
  private(set) var number = 0
  private var seen = 0
  /// The number of the request whose chunks are malformed.
  private(set) var malformedBody: Int?

  /// The head of the next request; nil when its bytes were not seen or make no head.
  mutating func next() -> Head? {
    guard !heads.isEmpty else { return nil }
    number += 1
    return heads.removeFirst()
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch state {
      case .lost: return
      case .data(let left):
        let count = min(left, rest.count)
        rest = rest.dropFirst(count)
        state = left == count ? .head : .data(left - count)
      case .chunkData(let left):
        let count = min(left, rest.count)
        rest = rest.dropFirst(count)
        state = left == count ? .chunkEnd : .chunkData(left - count)
      case .head, .chunkSize, .chunkEnd, .trailer:
        guard takeLine(&rest) else { return }
        endLine()
        line.removeAll(keepingCapacity: true)
      }
    }
  }

  /// True when `line` is whole, without its end.
  private mutating func takeLine(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Bool {
    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    line.append(contentsOf: rest[..<(end ?? rest.endIndex)])
    guard line.count <= Self.lineLimit else {
      state = .lost
      return false
    }
    guard let end else { return false }
    rest = rest[(end + 1)...]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return true
  }

  private mutating func endLine() {
    switch state {
    case .head: endHeadLine()
    case .chunkSize:
      guard let size = Self.chunkSize(line) else { return bodyIsMalformed() }
      state = size == 0 ? .trailer : .chunkData(size)
    case .chunkEnd:
      guard line.isEmpty else { return bodyIsMalformed() }
      state = .chunkSize
    case .trailer:
      if line.isEmpty { state = .head }
    case .data, .chunkData, .lost: break
    }
  }

  private mutating func endHeadLine() {
    guard !line.isEmpty else {
      // Empty lines before a request are passed over.
      guard parser.hasBegun else { return }
      let outcome = parser.end()
      seen += 1
      heads.append(Head(line: parser.requestLine, problem: outcome.problem))
      parser = RequestHeadParser()
      state =
        switch outcome {
        case .problem: .lost
        case .length(0): .head
        case .length(let count): .data(count)
        case .chunked: .chunkSize
        }
      return
    }
    parser.append(line)
  }

  private mutating func bodyIsMalformed() {
    malformedBody = seen
    state = .lost
  }

  /// Hexadecimal digits, then nothing or an extension.
  private static func chunkSize(_ line: [UInt8]) -> Int? {
    let digits = line.prefix {
      $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
    }
    // Fifteen digits are more than any limit and still an Int.
    guard (1...15).contains(digits.count) else { return nil }
    let rest = line[digits.endIndex...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
    var value = 0
    for digit in digits {
      guard let number = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
      value = value << 4 | number
    }
    return value
  }
}
