import Foundation

extension LoadContent {
  /// The document is loaded from its URL: a reload by the engine shows it again.
  var isURL: Bool {
    switch self {
    case .url, .request: true
    case .html, .data, .file, .simulated: false
    }
  }

  /// What a reload shows: the response without what it did to the jar.
  var kept: LoadContent {
    guard case .simulated(let request, var response) = self else { return self }
    response.headers = response.headers.without("Set-Cookie")
    return .simulated(request, response)
  }

  /// Seconds that the load has; nil: as many as it takes.
  var timeLimit: Double? {
    switch self {
    case .request(let request), .simulated(let request, _): request.timeoutInterval
    case .url, .html, .data, .file: nil
    }
  }

  /// What the document's URL will be.
  var expectedURL: String {
    switch self {
    case .url(let url): url.withoutCredentials
    case .html(_, let baseURL): baseURL?.withoutCredentials ?? "about:blank"
    case .data(_, _, _, let baseURL): baseURL.withoutCredentials
    case .file(let path, _): URL(filePath: path, directoryHint: .notDirectory).absoluteString
    case .request(let request), .simulated(let request, _): request.url.withoutCredentials
    }
  }
}

extension WebViewController {
  static let loadableSchemes = ["http", "https", "file", "about", "data"]

  /// URLs are parsed once, by the engine's parser; a file: URL goes the way of `loadFile`.
  func check(_ content: LoadContent, _ deadline: Deadline) async throws -> LoadContent {
    switch content {
    case .url(let text):
      let url = try loadable(text)
      return url.scheme == "file" ? try await file(url, deadline) : .url(url.text)
    case .html(let html, let baseURL):
      return .html(html, baseURL: try baseURL.map { try base($0) })
    case .data(let bytes, let mimeType, let encoding, let baseURL):
      guard ContentType.isMIMEType(mimeType) else {
        throw ServiceError.invalid("/mimeType", "mimeType is such as text/html, without parameters.")
      }
      // The engine would decode by an unknown one as if none had been named.
      guard CharacterEncoding.isKnown(encoding) else {
        throw ServiceError.invalid(
          "/encoding",
          "encoding is a name of the Encoding Standard, such as utf-8, windows-1252 or shift_jis.")
      }
      return .data(bytes, mimeType: mimeType, encoding: encoding, baseURL: try base(baseURL))
    case .file: return content
    case .request(var request):
      let url = try loadable(request.url)
      request.url = url.text
      guard ["http", "https"].contains(url.scheme) else {
        try RequestRules.checkPlain(request, scheme: url.scheme, at: "")
        request = try RequestRules.checked(request, at: "")
        return url.scheme == "file" ? try await file(url, deadline) : .request(request)
      }
      return .request(try RequestRules.checked(request, at: ""))
    case .simulated(var request, let response):
      let url = try parse(request.url, at: "/request/url")
      guard ["http", "https"].contains(url.scheme) else {
        throw ServiceError.invalid("/request/url", "A response is simulated for an http or https URL.")
      }
      request.url = url.text
      return .simulated(
        try RequestRules.checked(request, at: "/request"), try SimulatedRules.checked(response))
    }
  }

  private func loadable(_ text: String) throws(ServiceError) -> ParsedURL {
    let url = try parse(text, at: "/url")
    guard Self.loadableSchemes.contains(url.scheme) else {
      throw ServiceError.invalid(
        "/url",
        "\(url.scheme): is not loaded; the scheme is one of \(Self.loadableSchemes.joined(separator: ", "))."
      )
    }
    return url
  }

  private func parse(_ text: String, at pointer: String) throws(ServiceError) -> ParsedURL {
    guard text.utf8.count <= context.limits.url else {
      throw .tooLarge("The URL", size: text.utf8.count, limit: context.limits.url, at: pointer)
    }
    guard !text.utf8.contains(0), let url = context.engine.parseURL(text) else {
      throw ServiceError.invalid(pointer, "This is not an absolute URL, such as https://example.com/.")
    }
    return url
  }

  private func base(_ text: String) throws(ServiceError) -> String {
    let url = try parse(text, at: "/baseURL")
    guard ["http", "https", "about"].contains(url.scheme) else {
      throw ServiceError.invalid(
        "/baseURL", "The base URL's scheme is http, https or about; files are loaded by loadFile.")
    }
    return url.text
  }

  /// What `loadFile` loads. Throws `forbidden` for what lies outside the files directory.
  public func file(
    _ path: String, allowingReadAccessTo readAccess: String?, deadline: Deadline
  ) async throws -> LoadContent {
    try requireLife()
    guard let files = context.files else {
      throw ServiceError(.forbidden, "Files are not loaded: the server has no files directory (--files-dir).")
    }
    return try await call(.independent, deadline: deadline) { [context] in
      try await context.background.run { try files.resolve(path: path, allowingReadAccessTo: readAccess) }
    }
  }

  private func file(_ url: ParsedURL, _ deadline: Deadline) async throws -> LoadContent {
    guard let path = FilesDirectory.path(ofFileURL: url.text) else {
      throw ServiceError.invalid("/url", "A file URL names an absolute path on this machine: file:///…")
    }
    return try await file(path, allowingReadAccessTo: nil, deadline: deadline)
  }
}
