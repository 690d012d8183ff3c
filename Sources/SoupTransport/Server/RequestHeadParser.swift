/// The lines of one head, as far as they tell where the request ends and for whom it is.
struct RequestHeadParser {
  enum Outcome {
    case length(Int)
    case chunked
    case problem(String)

    var problem: String? { if case .problem(let text) = self { text } else { nil } }
  }

  private(set) var requestLine: [UInt8] = []
  private(set) var hasBegun = false
  private var problem: String?
  private var length: Int?
  private var isChunked = false
  private var host: [UInt8]?

  /// A line without its end.
  mutating func append(_ line: [UInt8]) {
    guard problem == nil else { return }
    guard hasBegun else {
      hasBegun = true
      requestLine = line
      return
    }
    do throws(Fault) { try readField(line) } catch { problem = error.text }
  }

  /// What the request's body is.
  mutating func end() -> Outcome {
    if problem == nil { problem = contradiction() }
    if let problem { return .problem(problem) }
    return isChunked ? .chunked : .length(length ?? 0)
  }

  private struct Fault: Error { let text: String }

  private mutating func readField(_ line: [UInt8]) throws(Fault) {
    guard line.first != UInt8(ascii: " "), line.first != UInt8(ascii: "\t") else {
      throw Fault(text: "A header goes on in a second line, which HTTP no longer has.")
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy({ Self.isToken[Int($0)] })
    else { throw Fault(text: "A line of the headers is not `Name: value`.") }
    guard !line.contains(UInt8(ascii: "\r")) else { throw Fault(text: "A header holds a carriage return.") }
    let value = Self.trimmed(line[(colon + 1)...])
    switch colon {
    case 4 where Self.equal(line[..<colon], "host"):
      guard host == nil else { throw Fault(text: "`Host` is given twice.") }
      host = Array(value)
    case 14 where Self.equal(line[..<colon], "content-length"):
      guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(String(decoding: value, as: UTF8.self))
      else { throw Fault(text: "`Content-Length` is not a number of bytes.") }
      guard length == nil || length == number else {
        throw Fault(text: "`Content-Length` is given twice, and differs.")
      }
      length = number
    case 17 where Self.equal(line[..<colon], "transfer-encoding"):
      guard !isChunked, Self.equal(value, "chunked") else {
        throw Fault(text: "`Transfer-Encoding` can only be `chunked`, once.")
      }
      isChunked = true
    default: break
    }
  }

  private func contradiction() -> String? {
    if isChunked, length != nil { return "Both `Content-Length` and `Transfer-Encoding` are given." }
    if isChunked, requestLine.suffix(8).elementsEqual("HTTP/1.0".utf8) {
      return "HTTP/1.0 has no `Transfer-Encoding`."
    }
    if let authority = absoluteAuthority, !Self.equal(authority, host ?? []) {
      return "`Host` is not the host of the request line."
    }
    return nil
  }

  /// `host:port` of `GET http://host:port/path HTTP/1.1`, the form that proxies get.
  private var absoluteAuthority: ArraySlice<UInt8>? {
    let parts = requestLine.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count >= 2, parts[1].first != UInt8(ascii: "/"),
      let scheme = parts[1].firstRange(of: Array("://".utf8))
    else { return nil }
    return parts[1][scheme.upperBound...].prefix { !Array("/?#".utf8).contains($0) }
  }

  /// RFC 9110, 5.6.2.
  private static let isToken: [Bool] = (0..<256).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(UInt8(byte))
    }
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value = value
    while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
    while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
    return value
  }

  private static func equal(_ left: ArraySlice<UInt8>, _ right: String) -> Bool {
    left.elementsEqual(right.utf8) { lower($0) == $1 }
  }
  private static func equal(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
    left.elementsEqual(right) { lower($0) == lower($1) }
  }
  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
