import HTTPModel
import WebViewCore

/// Who may call: token, Host, Origin and Sec-Fetch-Site. Pure functions of a request's head.
public struct AccessPolicy: Sendable {
  /// nil: none is needed.
  public let token: String?
  /// Host names, without ports, that are served without a token beside the loopback names.
  public let allowedHosts: Set<String>
  /// Serialized origins that may read answers.
  public let allowedOrigins: Set<String>

  public init(token: String? = nil, allowedHosts: [String] = [], allowedOrigins: [String] = []) {
    self.token = token
    // As the Host field's are read: an IPv6 address without its brackets.
    self.allowedHosts = Set(allowedHosts.map { HostName.name(of: $0) ?? $0.lowercased() })
    self.allowedOrigins = Set(allowedOrigins.map { Self.normalized($0) })
  }

  /// What a place asks of its callers.
  struct Demand: OptionSet {
    let rawValue: Int
    static let token = Demand(rawValue: 1)
    static let host = Demand(rawValue: 2)
    /// Pages of other sites may not even frame, embed or follow a link to it.
    static let sameSite = Demand(rawValue: 4)
  }

  /// Throws `unauthorized` or `forbidden`.
  /// - Parameter hasTicket: the caller proved itself by a one-use ticket.
  func check(_ head: HTTPRequestHead, _ demand: Demand, hasTicket: Bool = false) throws(ServiceError) {
    try checkHost(head, demand)
    try checkOrigin(head)
    if demand.contains(.sameSite) { try checkFetchSite(head) }
    if demand.contains(.token), !hasTicket { try checkToken(head) }
  }

  private func checkToken(_ head: HTTPRequestHead) throws(ServiceError) {
    guard let token else { return }
    guard let field = head.headers["Authorization"] else {
      throw ServiceError(.unauthorized, "A token is required: send `Authorization: Bearer <token>`.")
    }
    let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer", ConstantTime.equal(String(parts[1]), token)
    else {
      throw ServiceError(.unauthorized, "The token is not the server's.")
    }
  }

  /// Without a token a page could point a name of its own at this machine and read through it.
  private func checkHost(_ head: HTTPRequestHead, _ demand: Demand) throws(ServiceError) {
    guard demand.contains(.host), token == nil, !head.isUnixSocket else { return }
    let fields = head.headers.all("Host")
    guard fields.count == 1, let name = HostName.name(of: fields[0]),
      HostName.isLoopback(name) || allowedHosts.contains(name)
    else {
      throw ServiceError(
        .forbidden,
        "This Host is not served without a token: use a loopback address, --allow-host or a token.",
        details: ["header": "Host"])
    }
  }

  private func checkOrigin(_ head: HTTPRequestHead) throws(ServiceError) {
    guard let origin = head.headers["Origin"] else { return }
    guard head.headers.all("Origin").count == 1, isOwn(origin, head) || isAllowed(origin) else {
      throw ServiceError(
        .forbidden, "Pages of this Origin may not call the server: allow it with --allow-origin.",
        details: ["header": "Origin"])
    }
  }

  /// Frames, images and links of other sites carry no Origin, but this.
  private func checkFetchSite(_ head: HTTPRequestHead) throws(ServiceError) {
    guard let site = head.headers["Sec-Fetch-Site"]?.lowercased(), site == "cross-site" || site == "same-site"
    else {
      return
    }
    if let origin = head.headers["Origin"], isAllowed(origin) { return }
    throw ServiceError(
      .forbidden, "Pages of other sites may not reach this: allow their origin with --allow-origin.",
      details: ["header": "Sec-Fetch-Site"])
  }

  private func isAllowed(_ origin: String) -> Bool { allowedOrigins.contains(Self.normalized(origin)) }

  private func isOwn(_ origin: String, _ head: HTTPRequestHead) -> Bool {
    guard let host = head.headers["Host"] else { return false }
    return Self.normalized(origin) == Self.normalized((head.isSecure ? "https://" : "http://") + host)
  }

  /// Lower case, without the scheme's own port, as browsers serialize origins.
  private static func normalized(_ origin: String) -> String {
    let text = origin.lowercased()
    if text.hasPrefix("http://"), text.hasSuffix(":80") { return String(text.dropLast(3)) }
    if text.hasPrefix("https://"), text.hasSuffix(":443") { return String(text.dropLast(4)) }
    return text.hasSuffix("/") && text != "/" ? String(text.dropLast()) : text
  }

  // MARK: CORS

  static let exposed = "Location, Retry-After, X-Request-Id, X-Upstream-Status, X-Final-URL"

  /// The origin that is to be let read the answer.
  func foreignOrigin(_ head: HTTPRequestHead) -> String? {
    guard let origin = head.headers["Origin"], isAllowed(origin), !isOwn(origin, head) else { return nil }
    return origin
  }

  func isPreflight(_ head: HTTPRequestHead) -> Bool {
    head.method == .options && head.headers["Origin"] != nil
      && head.headers["Access-Control-Request-Method"] != nil
  }

  /// Headers of a preflight's answer. The browser sends no token with it.
  func preflight(_ head: HTTPRequestHead, allowed: [HTTPMethod]) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Access-Control-Allow-Methods": allowed.map(\.name).joined(separator: ", "),
      "Access-Control-Allow-Headers": "Authorization, Content-Type, Content-Encoding, X-Request-Id",
      "Access-Control-Max-Age": "600",
    ]
    if head.headers["Access-Control-Request-Private-Network"]?.lowercased() == "true" {
      headers["Access-Control-Allow-Private-Network"] = "true"
    }
    return headers
  }
}

/// Comparing secrets without telling by time how much was right.
enum ConstantTime {
  static func equal(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    // As long as the given one, whatever the secret's length.
    var difference = left.count ^ right.count
    for index in left.indices {
      difference |= Int(left[index] ^ (right.isEmpty ? 0 : right[index % right.count]))
    }
    return difference == 0
  }
}

/// Names in Host fields.
enum HostName {
  /// Without port and brackets, lower case; nil when malformed.
  static func name(of field: String) -> String? {
    let text = field.lowercased()
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || isPort(rest) else { return nil }
      return String(text[text.index(after: text.startIndex)..<end])
    }
    guard let colon = text.firstIndex(of: ":") else { return text.isEmpty ? nil : text }
    guard isPort(text[colon...]), colon != text.startIndex else { return nil }
    return String(text[..<colon])
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && text.count <= 6 && text.dropFirst().utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  static func isLoopback(_ name: String) -> Bool {
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
        && UInt8(part) != nil
    }
  }
}
