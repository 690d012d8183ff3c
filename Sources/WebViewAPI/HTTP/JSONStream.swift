import HTTPModel
import WebViewCore

/// An object whose large values leave piece by piece, as the client takes them: a page's result of many
/// megabytes is never copied whole.
struct JSONStream: Sendable {
  /// From this size on a page's text is worth it.
  static let threshold = 1 << 20
  private static let pieceSize = 64 << 10

  private enum Part: Sendable {
    case bytes([UInt8])
    case text(String)
  }
  private var parts: [Part] = []
  private(set) var length = 0

  /// nil where no member is that large.
  init?(_ object: JSONObject) {
    guard object.contains(where: { Self.isLarge($0.value) }) else { return nil }
    var opening = "{"
    for member in object {
      append(.bytes(Array((opening + JSONWriter.text(.string(member.name)) + ":").utf8)))
      if case .raw(let text) = member.value {
        append(.text(text))
      } else {
        append(.bytes(JSONWriter.write(member.value)))
      }
      opening = ","
    }
    append(.bytes([UInt8(ascii: "}")]))
  }

  private static func isLarge(_ value: JSONValue) -> Bool {
    if case .raw(let text) = value { text.utf8.count >= threshold } else { false }
  }

  private mutating func append(_ part: Part) {
    parts.append(part)
    switch part {
    case .bytes(let bytes): length += bytes.count
    case .text(let text): length += text.utf8.count
    }
  }

  var body: HTTPBody {
    .stream(length: length) { [parts] writer in
      for part in parts {
        switch part {
        case .bytes(let bytes): try await writer.write(bytes)
        case .text(let text):
          var rest = text.utf8[...]
          while !rest.isEmpty {
            try await writer.write(Array(rest.prefix(Self.pieceSize)))
            rest = rest.dropFirst(Self.pieceSize)
          }
        }
      }
    }
  }
}
