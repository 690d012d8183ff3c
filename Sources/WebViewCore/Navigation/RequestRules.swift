import Foundation
import WebProcessCore

/// What makes a request one that can be sent as it is given (RFC 9110, and the Fetch Standard where it knows more).
enum RequestRules {
  typealias Header = MainResourceResponse.Header

  /// - Parameter pointer: where the request stands in the input.
  static func checked(_ request: LoadRequest, at pointer: String) throws(ServiceError) -> LoadRequest {
    var request = request
    request.method = try method(request.method, at: pointer + "/method")
    request.headers = try headers(request.headers, at: pointer + "/headers")
    for header in request.headers where header.isOfConnection {
      throw .invalid(
        pointer + "/headers" + JSONPointer.token(header.name),
        "\(header.name) is the engine's own, of the connection or the length of the body; leave it out.")
    }
    if request.body != nil, ["GET", "HEAD"].contains(request.method) {
      throw .invalid(pointer + "/body", "\(request.method) takes no body; POST, PUT and PATCH do.")
    }
    if request.body != nil || request.method == "POST", request[header: "Content-Type"] == nil {
      // As Foundation, and as a form.
      request.headers.append(Header(name: "Content-Type", value: "application/x-www-form-urlencoded"))
    }
    guard request.timeoutInterval > 0, request.timeoutInterval.isFinite else {
      throw .invalid(pointer + "/timeoutInterval", "timeoutInterval is a number of seconds above 0.")
    }
    guard CachePolicy.honoured.contains(request.cachePolicy) else {
      let names = CachePolicy.honoured.map(\.rawValue).joined(separator: ", ")
      throw .invalid(
        pointer + "/cachePolicy",
        "\(request.cachePolicy.rawValue) is beyond the engine; the policies are \(names).")
    }
    _ = try cookies(of: request, at: pointer)
    return request
  }

  /// What a URL that is not fetched over HTTP cannot be asked with.
  static func checkPlain(_ request: LoadRequest, scheme: String, at pointer: String) throws(ServiceError) {
    let member: (name: String, isGiven: Bool)? = [
      ("method", request.method != "GET"), ("headers", !request.headers.isEmpty),
      ("body", request.body != nil),
    ].first { $0.isGiven }
    if let member {
      throw .invalid(
        pointer + "/" + member.name, "\(scheme): is loaded with GET, without headers and body; leave it out.")
    }
  }

  // MARK: Method

  /// Fetch's normalization: these in any case, others as they are written.
  private static let normalized = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]
  private static let refused = ["CONNECT", "TRACE", "TRACK"]

  static func method(_ text: String, at pointer: String) throws(ServiceError) -> String {
    let upper = text.uppercased()
    guard text.isToken else {
      throw .invalid(pointer, "A method is a token such as GET, POST or PUT.")
    }
    guard !refused.contains(upper) else { throw .invalid(pointer, "\(upper) loads no document.") }
    return normalized.contains(upper) ? upper : text
  }

  // MARK: Headers

  /// Names are tokens, each given once; values lose the blanks around them.
  static func headers(_ headers: [Header], at pointer: String) throws(ServiceError) -> [Header] {
    var known: Set<String> = []
    var result: [Header] = []
    for header in headers {
      let place = pointer + JSONPointer.token(header.name)
      guard header.name.isToken else { throw .invalid(place, "A header's name is a token such as Accept.") }
      guard known.insert(header.name.lowercased()).inserted else {
        throw .invalid(place, "\(header.name) is given twice: names are the same in any case.")
      }
      result.append(Header(name: header.name, value: try value(header.value, at: place)))
    }
    return result
  }

  static func value(_ text: String, at pointer: String) throws(ServiceError) -> String {
    guard text.utf8.allSatisfy({ $0 == 0x09 || 0x20...0x7E ~= $0 }) else {
      throw .invalid(
        pointer, "A header's value is one line of ASCII without control characters; encode others.")
    }
    return text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
  }

  // MARK: Cookies

  /// Those of the request's `Cookie` header, as session cookies of the URL's host.
  static func cookies(of request: LoadRequest, at pointer: String = "") throws(ServiceError) -> [Cookie] {
    guard let header = request[header: "Cookie"] else { return [] }
    let place = pointer + "/headers/Cookie"
    guard let host = URL(string: request.url)?.host(percentEncoded: true), !host.isEmpty else {
      throw .invalid(place, "The URL has no host that could have cookies.")
    }
    // Foundation leaves out the brackets of an IPv6 address.
    let domain = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    let isHTTPS = request.url.hasPrefix("https:")
    var cookies: [Cookie] = []
    for pair in header.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw .invalid(place, "Cookies are written name=value, with ; between them.")
      }
      var cookie = Cookie(name: trimmed(parts[0]), value: trimmed(parts[1]), domain: domain)
      let name = cookie.name.lowercased()
      // By their names: RFC 6265bis, section 4.1.3.
      cookie.isSecure = isHTTPS && (name.hasPrefix("__secure-") || name.hasPrefix("__host-"))
      if let objection = CookieRules.objection(to: cookie, now: Date()) {
        throw .invalid(place, "\(cookie.name): \(objection)")
      }
      cookies.append(cookie)
    }
    return cookies
  }

  private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }
}

extension LoadRequest {
  /// What its `Cookie` header puts into the jar. Of a checked request.
  public var cookies: [Cookie] { (try? RequestRules.cookies(of: self)) ?? [] }
}
