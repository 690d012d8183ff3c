/// The first line of a request as it came. libsoup tells a path in which `.` and `..`, also percent-encoded,
/// are folded away already: what is no route would look like another one.
struct RequestLine {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// nil when `folded` is as good, or the line is not the one of that request.
  func path(method: String, folded: String) -> String? {
    let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true)
    guard parts.count >= 2, parts[0].elementsEqual(method.utf8) else { return nil }
    let raw = Self.path(of: parts[1])
    if raw.elementsEqual(folded.utf8) { return nil }
    guard Self.foldedSegments(raw) == Self.foldedSegments(Array(folded.utf8)[...]) else { return nil }
    return String(validating: raw, as: UTF8.self)
  }

  /// Of `/path?query` or `http://host/path?query`.
  private static func path(of target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if path.first != UInt8(ascii: "/"), let scheme = path.firstRange(of: Array("://".utf8)) {
      path = path[scheme.upperBound...].drop { $0 != UInt8(ascii: "/") }
    }
    return path
  }

  /// Decoded, with `.` and `..` taken out (RFC 3986, 5.2.4).
  private static func foldedSegments(_ path: ArraySlice<UInt8>) -> [[UInt8]] {
    var result: [[UInt8]] = []
    for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
      let decoded = decode(segment)
      switch String(decoding: decoded, as: UTF8.self) {
      case ".": break
      case "..": _ = result.popLast()
      default: result.append(decoded)
      }
    }
    // A folded end leaves an empty segment, or none at the root.
    while result.last == [] { result.removeLast() }
    return result
  }

  private static func decode(_ segment: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = segment
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
