import CWebKit
import GLibBridge
import WebViewCore

/// One request after the other by libsoup's client, as WebKit would send it: with the store's cookies, the
/// system's proxy, and certificates checked.
@PageActor
final class DocumentFetch {
  private static let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
  fileprivate static let pieceSize: gsize = 64 << 10

  private let session: OwnedObject<UnsafeMutablePointer<SoupSession>>
  private let store: WebKitStore
  private let userAgent: String
  private let limit: Int

  init(store: WebKitStore, userAgent: String, limit: Int) {
    self.store = store
    self.userAgent = userAgent
    self.limit = limit
    session = OwnedObject(owning: soup_session_new()!)
    soup_session_set_accept_language_auto(session.pointer, 1)
    soup_session_add_feature_by_type(session.pointer, soup_content_sniffer_get_type())
  }

  /// A response whose body is still to come.
  struct Answer {
    fileprivate let message: OwnedObject<OpaquePointer>
    fileprivate let stream: OwnedObject<UnsafeMutablePointer<GInputStream>>
    fileprivate let limit: Int
    let status: Int
    let response: MainResourceResponse
    /// nil when it did not come over TLS.
    let serverTrust: ServerTrust?
  }

  /// Sends nothing.
  func connect(to url: String) async throws {
    let message = OwnedObject(owning: try make(LoadRequest(url: url)))
    let session = OneThread(session.pointer)
    let given = OneThread(message.pointer)
    try await awaitResult {
      soup_session_preconnect_async(session.value, given.value, G_PRIORITY_DEFAULT, $0, $1, $2)
    } finish: { result, error -> Void? in
      soup_session_preconnect_finish(session.value, result, &error) != 0 ? () : nil
    }
  }

  private func make(_ request: LoadRequest) throws(LoadError) -> OpaquePointer {
    guard !request.isPortBlocked else {
      throw .refusedAddress
    }
    // libsoup refuses what user names may be written like; the texts of errors name no URL, which may have one.
    guard let made = soup_message_new(request.method, request.url.withoutCredentials) else {
      throw LoadError(.unsupportedURL, "The engine cannot ask for this URL.")
    }
    return made
  }

  func send(_ request: LoadRequest) async throws -> Answer {
    let made = try make(request)
    let message = OwnedObject(owning: made)
    // A connection that was idle may be gone, and would have the request sent twice.
    soup_message_add_flags(
      made, SoupMessageFlags(SOUP_MESSAGE_NO_REDIRECT.rawValue | SOUP_MESSAGE_NEW_CONNECTION.rawValue))
    answerChallenge(of: made, with: request.url.credentials)
    let sniffed = SniffedType()
    onPage(made, "content-sniffed") { (_: OpaquePointer, type: String, _: OptionalPointer) in
      sniffed.type = type
    }
    set(request, on: made, cookies: try await store.cookies(for: request.url))
    let session = OneThread(session.pointer)
    let given = OneThread(made)
    let stream = try await awaitResult {
      soup_session_send_async(session.value, given.value, G_PRIORITY_DEFAULT, $0, $1, $2)
    } finish: { result, error in
      soup_session_send_finish(session.value, result, &error).map { stream in
        let stream = OneThread(stream)
        return PageActor.assumeIsolated { OwnedObject(owning: stream.value) }
      }
    }
    let headers = MainResourceResponse.headers(soup_message_get_response_headers(made))
    try await store.take(setCookies: headers.values(of: "Set-Cookie"), from: request.url)
    let type = headers.value(of: "Content-Type").flatMap { ContentType($0) }
    let status = Int(soup_message_get_status(made).rawValue)
    return Answer(
      message: message, stream: stream, limit: limit, status: status,
      response: MainResourceResponse(
        url: request.url, status: status, headers: headers.without("Set-Cookie"),
        mimeType: sniffed.type ?? type?.mimeType ?? "text/plain", encoding: type?.charset),
      serverTrust: soup_message_get_tls_peer_certificate(made).map {
        ServerTrust($0, soup_message_get_tls_peer_certificate_errors(made))
      })
  }

  /// As the engine does with a GET: the site hears of the URL's user when it asks for one.
  private func answerChallenge(
    of message: OpaquePointer, with credentials: (user: String, password: String)?
  ) {
    guard let credentials else { return }
    onPage(message, "authenticate") { (_: OpaquePointer, auth: OpaquePointer, isRetry: Bool) -> Bool in
      guard !isRetry, soup_auth_is_for_proxy(auth.cast()) == 0 else { return false }
      soup_auth_authenticate(auth.cast(), credentials.user, credentials.password)
      return true
    }
  }

  private final class SniffedType {
    var type: String?
  }

  private func set(_ request: LoadRequest, on message: OpaquePointer, cookies: [Cookie]) {
    let headers = soup_message_get_request_headers(message)
    soup_message_headers_replace(headers, "User-Agent", userAgent)
    soup_message_headers_replace(headers, "Accept", Self.accept)
    if !cookies.isEmpty {
      let pairs = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
      soup_message_headers_replace(headers, "Cookie", pairs)
    }
    for (name, value) in request.cachePolicy.directives { soup_message_headers_replace(headers, name, value) }
    if let body = request.body {
      let bytes = ByteBuffers.bytes(holding: body)
      soup_message_set_request_body_from_bytes(message, request[header: "Content-Type"], bytes)
      g_bytes_unref(bytes)
    }
    for header in request.headers { soup_message_headers_replace(headers, header.name, header.value) }
  }
}

extension DocumentFetch.Answer {
  /// The request that follows; nil when this is the answer.
  @PageActor
  func redirected(_ request: LoadRequest) throws(LoadError) -> LoadRequest? {
    guard LoadRequest.isRedirect(status), let location = response.headers.value(of: "Location") else {
      return nil
    }
    guard let url = Self.resolve(location, against: request.url) else {
      throw LoadError(.unsupportedURL, "A redirect leads to what is no URL.")
    }
    guard ["http", "https"].contains(url.scheme) else {
      throw LoadError(.blockedByPolicy, "A redirect does not lead to \(url.scheme):.")
    }
    return request.redirected(to: url.text, status: status)
  }

  private static func resolve(_ location: String, against base: String) -> ParsedURL? {
    if let absolute = EngineURL.parse(location) { return absolute }
    let flags = GUriFlags(G_URI_FLAGS_ENCODED.rawValue | G_URI_FLAGS_PARSE_RELAXED.rawValue)
    guard let text = g_uri_resolve_relative(base, location, flags, nil) else { return nil }
    defer { g_free(text) }
    return EngineURL.parse(String(cString: text))
  }

  @PageActor
  func body() async throws -> [UInt8] {
    let stream = OneThread(stream.pointer)
    var bytes: [UInt8] = []
    while true {
      let piece = try await awaitResult {
        g_input_stream_read_bytes_async(stream.value, DocumentFetch.pieceSize, G_PRIORITY_DEFAULT, $0, $1, $2)
      } finish: { result, error -> [UInt8]? in
        guard let piece = g_input_stream_read_bytes_finish(stream.value, result, &error) else { return nil }
        defer { g_bytes_unref(piece) }
        var size: gsize = 0
        let data = g_bytes_get_data(piece, &size)
        return Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
      guard bytes.count <= limit else {
        throw LoadError(
          .other, "The response has more than \(limit) bytes, which are the limit of this method.")
      }
    }
  }
}

extension WebKitStore {
  /// As their response says: one that is expired takes the cookie of its place away.
  func take(setCookies headers: [String], from url: String) async throws {
    var cookies = headers.compactMap { SoupCookies.parse($0, from: url) }
    guard !cookies.isEmpty else { return }
    if !url.hasPrefix("https:") {
      let jar = try await self.cookies()
      cookies.removeAll { jar.contains(where: $0.isShadowing) }
    }
    for cookie in cookies { try await add(cookie) }
  }
}
