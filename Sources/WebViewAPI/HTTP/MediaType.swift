import HTTPModel
import WebViewCore

/// What kind of body a request brings.
enum RequestBodyKind: Sendable, Equatable {
  case none, json
  case raw(Operation.RawBody)

  /// Decides by the type alone.
  static func of(_ contentType: String?, for operation: Operation) throws(ServiceError) -> RequestBodyKind {
    guard let contentType else {
      throw unsupported("The body has no Content-Type", operation)
    }
    let parts = contentType.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let type = trimmed(parts[0]).lowercased()
    if type == "application/json" || type == operation.rawBody?.contentType {
      if parts.count == 2, let charset = charset(parts[1]), charset != "utf-8", charset != "utf8" {
        throw unsupported("Bodies are UTF-8, not \(charset.prefix(40))", operation)
      }
      if let raw = operation.rawBody, raw.contentType == type { return .raw(raw) }
      return .json
    }
    throw unsupported("`\(type.prefix(80))` is not taken here", operation)
  }

  private static func unsupported(_ problem: String, _ operation: Operation) -> ServiceError {
    var types = ["application/json"]
    if let raw = operation.rawBody { types.append(raw.contentType) }
    return ServiceError(
      .unsupportedMediaType,
      "\(problem): send \(types.joined(separator: " or ")) (curl: `--json '{…}'`, or `-H 'Content-Type: \(types[0])'`).",
      details: ["supported": .array(types.map { .string($0) })])
  }

  private static func charset(_ parameters: Substring) -> String? {
    for parameter in parameters.split(separator: ";") {
      let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, trimmed(pair[0]).lowercased() == "charset" {
        return trimmed(pair[1]).filter { $0 != "\"" }.lowercased()
      }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
