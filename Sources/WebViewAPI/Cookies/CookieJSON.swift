import Foundation
import WebViewCore

enum CookieJSON {
  static func cookie(_ cookie: Cookie) -> JSONObject {
    [
      "name": .string(cookie.name), "value": .string(cookie.value), "domain": .string(cookie.domain),
      "path": .string(cookie.path), "isSecure": .bool(cookie.isSecure),
      "isHTTPOnly": .bool(cookie.isHTTPOnly),
      "isSessionOnly": .bool(cookie.isSessionOnly),
      "expiresDate": cookie.expiresDate.map { .string(Instant.text($0)) } ?? .null,
      "sameSite": JSONValue(cookie.sameSite?.rawValue), "hostOnly": .bool(cookie.isHostOnly),
    ]
  }

  static func result(_ result: SetCookieResult) -> JSONObject {
    var object: JSONObject = ["accepted": .bool(result.accepted)]
    if let reason = result.reason { object["reason"] = .string(reason) }
    if let stored = result.stored { object["stored"] = .object(cookie(stored)) }
    return object
  }

  /// Playwright's `storageState`, which other tools read too.
  static func storageState(_ cookies: [Cookie]) -> JSONObject {
    let list = cookies.map { cookie -> JSONValue in
      [
        "name": .string(cookie.name), "value": .string(cookie.value), "domain": .string(cookie.domain),
        "path": .string(cookie.path), "expires": JSONValue(cookie.expiresDate?.timeIntervalSince1970 ?? -1),
        "httpOnly": .bool(cookie.isHTTPOnly), "secure": .bool(cookie.isSecure),
        "sameSite": .string((cookie.sameSite ?? .lax).rawValue.capitalized),
      ]
    }
    return ["cookies": .array(list), "origins": []]
  }

  /// The cookie file that curl reads and writes.
  static func netscape(_ cookies: [Cookie]) -> String {
    var text = "# Netscape HTTP Cookie File\n"
    for cookie in cookies {
      let fields = [
        (cookie.isHTTPOnly ? "#HttpOnly_" : "") + cookie.domain, cookie.isHostOnly ? "FALSE" : "TRUE",
        cookie.path,
        cookie.isSecure ? "TRUE" : "FALSE", String(Int64(cookie.expiresDate?.timeIntervalSince1970 ?? 0)),
        cookie.name, cookie.value,
      ]
      text += fields.joined(separator: "\t") + "\n"
    }
    return text
  }
}

extension OperationInput {
  mutating func cookieFilter(withURL: Bool) throws(ServiceError) -> CookieFilter {
    var filter = CookieFilter()
    if withURL { filter.url = try string("url") }
    filter.name = try string("name")
    filter.domain = try string("domain")
    filter.path = try string("path")
    return filter
  }

  mutating func cookies() throws(ServiceError) -> [Cookie] {
    guard let elements = try objects("cookies") else {
      throw missing("cookies", expected: "an array of cookies")
    }
    var result: [Cookie] = []
    for var element in elements {
      result.append(try element.cookie())
      try element.finish()
    }
    return result
  }

  private mutating func cookie() throws(ServiceError) -> Cookie {
    let expires = try expiresDate()
    let isSessionOnly = try bool("isSessionOnly") ?? false
    // Read-only: what getCookies gave can be given back as it is.
    _ = try bool("hostOnly")
    return Cookie(
      name: try requiredString("name", "the name of the cookie"),
      value: try requiredString("value", "the value of the cookie"),
      domain: try requiredString("domain", "a host, or with a leading dot a domain"),
      path: try string("path") ?? "/", isSecure: try bool("isSecure") ?? false,
      isHTTPOnly: try bool("isHTTPOnly") ?? false, expiresDate: isSessionOnly ? nil : expires,
      sameSite: try sameSite())
  }

  private mutating func expiresDate() throws(ServiceError) -> Date? {
    guard let text = try nullableString("expiresDate") ?? nil else { return nil }
    guard let date = Instant.date(text) else {
      throw ServiceError(
        .invalidArgument,
        "`\(pointer(to: "expiresDate"))` must be an instant such as 2030-01-31T12:00:00.000Z, or null.",
        details: ["pointer": .string(pointer(to: "expiresDate"))])
    }
    return date
  }

  private mutating func sameSite() throws(ServiceError) -> Cookie.SameSite? {
    guard let text = try nullableString("sameSite") ?? nil else { return nil }
    guard let value = Cookie.SameSite(rawValue: text.lowercased()) else {
      throw InputError.notOneOf(
        .json(.string(text), pointer: pointer(to: "sameSite")),
        values: Cookie.SameSite.allCases.map(\.rawValue))
    }
    return value
  }
}
