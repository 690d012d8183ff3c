/// What a document was made of, as it came.
public struct DocumentSource: Sendable, Equatable {
  public var bytes: [UInt8]
  /// As the server said it, or as the engine takes it where nobody did.
  public var contentType: String
  public init(bytes: [UInt8], contentType: String) {
    self.bytes = bytes
    self.contentType = contentType
  }
}

extension LoadContent {
  /// Content that we were given: what was given. nil for what the engine fetched.
  var source: DocumentSource? {
    switch self {
    case .url, .file, .request: nil
    case .html(let html, _):
      DocumentSource(bytes: Array(html.utf8), contentType: "text/html; charset=utf-8")
    case .data(let bytes, let mimeType, let encoding, _):
      DocumentSource(bytes: bytes, contentType: "\(mimeType); charset=\(encoding)")
    case .simulated(_, let response):
      DocumentSource(
        bytes: response.data,
        contentType: response.headers.value(of: "Content-Type") ?? "application/octet-stream")
    }
  }
}

extension MainResourceResponse {
  /// The server's own words where they are words that a header can repeat.
  var contentType: String {
    let told = headers.first { $0.name.lowercased() == "content-type" }?.value
    if let told, !told.isEmpty, told.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return told }
    return mimeType ?? "application/octet-stream"
  }

  /// How many bytes the document is made of, where the head told so: of a compressed one it tells another number.
  var announcedLength: Int? {
    guard headers.value(of: "Content-Encoding") == nil else { return nil }
    return headers.value(of: "Content-Length").flatMap { Int($0) }
  }
}
