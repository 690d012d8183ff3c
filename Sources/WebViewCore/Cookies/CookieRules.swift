import Foundation

/// What a jar would drop or cut without a word, found before it is given to it.
enum CookieRules {
  /// nil: nothing speaks against it.
  static func objection(to cookie: Cookie, now: Date) -> String? {
    if cookie.name.isEmpty { return "The name is empty." }
    if !cookie.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && $0 != 0x3D }) {
      return "The name is ASCII without spaces, control characters, \";\" and \"=\"."
    }
    if cookie.value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B }) {
      return "The value has a control character or \";\"."
    }
    if cookie.name.utf8.count + cookie.value.utf8.count > 4096 {
      return "Name and value have more than 4096 bytes."
    }
    if !cookie.path.hasPrefix("/")
      || cookie.path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B })
    {
      return "The path begins with \"/\" and has neither control characters nor \";\"."
    }
    if let expires = cookie.expiresDate, expires <= now { return "It is expired." }
    if let objection = objection(toDomain: cookie.domain) { return objection }
    return objection(toPrefixOf: cookie)
  }

  /// What became of each cookie, by what the jar holds after all were given to it.
  /// - Parameter objections: one for each; nil: it was given to the jar.
  static func results(of cookies: [Cookie], objections: [String?], jar: [Cookie]) -> [SetCookieResult] {
    // One look for each: this runs where pages run, and a jar holds thousands. The later one of a place counts.
    let kept = Dictionary(jar.map { ($0.place, $0) }, uniquingKeysWith: { $1 })
    return zip(cookies, objections).map { cookie, objection in
      if let objection { return SetCookieResult(accepted: false, reason: objection) }
      guard let stored = kept[cookie.place] else {
        return SetCookieResult(
          accepted: false, reason: "The jar did not keep it; its domain may be a public suffix.")
      }
      guard stored.value == cookie.value else {
        return SetCookieResult(accepted: false, reason: "The jar changed the value.", stored: stored)
      }
      return SetCookieResult(accepted: true, stored: stored)
    }
  }

  private static func objection(toDomain domain: String) -> String? {
    let host = domain.hasPrefix(".") ? domain.dropFirst() : domain[...]
    if host.hasPrefix("["), host.hasSuffix("]"), !domain.hasPrefix(".") { return nil }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isValid = labels.allSatisfy { label in
      (1...63).contains(label.utf8.count)
        && label.utf8.allSatisfy {
          $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
        }
    }
    guard isValid, host.utf8.count <= 253 else {
      return
        "The domain is a host name in ASCII (punycode), with a leading dot for its subdomains, without a port."
    }
    guard domain.hasPrefix(".") else { return nil }
    if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return "An address has no subdomains." }
    // Without the public suffix list only top-level names are known to be nobody's; the jar knows more.
    if labels.count == 1, host.lowercased() != "localhost" { return "A public suffix cannot hold cookies." }
    return nil
  }

  /// RFC 6265bis, section 4.1.3.
  private static func objection(toPrefixOf cookie: Cookie) -> String? {
    let name = cookie.name.lowercased()
    if name.hasPrefix("__secure-"), !cookie.isSecure { return "A __Secure- cookie is secure." }
    if name.hasPrefix("__host-"), !cookie.isSecure || !cookie.isHostOnly || cookie.path != "/" {
      return "A __Host- cookie is secure, of one host, and of the path \"/\"."
    }
    return nil
  }
}

extension Cookie {
  /// Where a jar keeps it: a cookie takes the place of another one with the same.
  struct Place: Hashable {
    let name: String
    let path: String
    let domain: String
  }
  var place: Place { Place(name: name, path: path, domain: domain.lowercased()) }
}

extension CookieFilter {
  /// Exact and ANDed; the URL is the jar's affair.
  func matches(_ cookie: Cookie) -> Bool {
    name.map { $0 == cookie.name } ?? true && domain.map { $0 == cookie.domain } ?? true
      && path.map { $0 == cookie.path } ?? true
  }
}
