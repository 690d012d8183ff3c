import HTTPModel
import WebViewCore

/// The query of a request, split at its first dots into the same tree that a body has.
struct QueryString: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    /// The whole name, for messages.
    var parameter: String
    /// What is left of the name at this level.
    var name: String
    var value: String
  }
  var items: [Item] = []

  init() {}

  /// - Parameter text: as it came, without the question mark.
  init(parsing text: String?) throws(ServiceError) {
    guard let text, !text.isEmpty else { return }
    for part in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
      let pieces = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(pieces[0], plusIsBlank: true), !name.isEmpty else {
        throw ServiceError(
          .invalidArgument, "A name in the query is empty or not percent-encoded UTF-8.",
          details: ["parameter": .string(String(decoding: Array(pieces[0]), as: UTF8.self))])
      }
      guard let value = pieces.count == 2 ? PercentEncoding.decode(pieces[1], plusIsBlank: true) : "" else {
        throw ServiceError(
          .invalidArgument, "The value of `\(name)` in the query is not percent-encoded UTF-8.",
          details: ["parameter": .string(name)])
      }
      guard !value.isEmpty else {
        throw ServiceError(
          .invalidArgument, "`\(name)` in the query is empty: give it a value or leave it out.",
          details: ["parameter": .string(name)])
      }
      items.append(Item(parameter: name, name: name, value: value))
    }
  }

  func values(of name: String) -> [Item] { items.filter { $0.name == name } }

  /// What stands below `name.`.
  func below(_ name: String) -> QueryString {
    var result = QueryString()
    for item in items where item.name.hasPrefix(name + ".") {
      var item = item
      item.name.removeFirst(name.count + 1)
      result.items.append(item)
    }
    return result
  }

  func has(_ name: String) -> Bool { items.contains { $0.name == name || $0.name.hasPrefix(name + ".") } }
}
