import Foundation

extension WebViewController {
  /// Those that match and are not expired.
  public func cookies(_ filter: CookieFilter, deadline: Deadline) async throws -> [Cookie] {
    try requireLife()
    let now = Date()
    return try await matching(filter, deadline).filter { $0.expiresDate.map { $0 > now } ?? true }
  }

  /// One result for each, in order. What the jar would drop silently is told with the reason.
  public func setCookies(_ cookies: [Cookie], deadline: Deadline) async throws -> [SetCookieResult] {
    try requireLife()
    let objections = cookies.map { CookieRules.objection(to: $0, now: Date()) }
    let accepted = zip(cookies, objections).filter { $0.1 == nil }.map(\.0)
    let jar = try await call(.independent, deadline: deadline) { [store] in
      for cookie in accepted { try await store.add(cookie) }
      return accepted.isEmpty ? [] : try await store.cookies()
    }
    return CookieRules.results(of: cookies, objections: objections, jar: jar)
  }

  /// How many went; expired ones go with them uncounted.
  public func deleteCookies(_ filter: CookieFilter, deadline: Deadline) async throws -> Int {
    try requireLife()
    let gone = try await matching(filter, deadline)
    try await call(.independent, deadline: deadline) { [store] in
      for cookie in gone { try await store.delete(cookie) }
    }
    let now = Date()
    return gone.count { $0.expiresDate.map { $0 > now } ?? true }
  }

  private func matching(_ filter: CookieFilter, _ deadline: Deadline) async throws -> [Cookie] {
    var url: String?
    if let text = filter.url {
      guard let parsed = context.engine.parseURL(text), ["http", "https"].contains(parsed.scheme) else {
        throw ServiceError(
          .invalidArgument, "url is an absolute http or https URL.", details: ["parameter": "url"])
      }
      url = parsed.text
    }
    return try await call(.independent, deadline: deadline) { [store, url] in
      if let url { try await store.cookies(for: url) } else { try await store.cookies() }
    }.filter(filter.matches)
  }
}
