extension [HeaderField] {
  /// Those that go along to where a redirect leads: the Fetch Standard's HTTP-redirect fetch, but for another
  /// origin, which it keeps less from.
  /// - Parameters:
  ///   - from: serialized, as `to`.
  ///   - keepsMethod: false also takes away what describes the body, which went with the method.
  public func following(redirectFrom from: String, to: String, keepsMethod: Bool) -> Self {
    let isSameOrigin = from.origin == to.origin
    return filter {
      let name = $0.name.lowercased()
      return (isSameOrigin || Self.forEveryOrigin.contains(name))
        && (keepsMethod || !Self.describingBody.contains(name))
    }
  }

  /// What a browser says of itself to everybody. All else may be a secret between the client and one origin.
  private static var forEveryOrigin: Set<String> { ["user-agent", "accept", "accept-language"] }
  /// Fetch's request-body-header names.
  private static var describingBody: Set<String> {
    ["content-encoding", "content-language", "content-location", "content-type"]
  }
}

extension String {
  /// Of a serialized URL: its scheme and its host with the port, in lower case and without a default port already.
  public var origin: Substring {
    guard let colon = firstIndex(of: ":") else { return self[...] }
    let rest = self[colon...].dropFirst()
    // Two URLs without a host have no origin in common.
    guard rest.hasPrefix("//") else { return self[...] }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return self[..<authority.endIndex] }
    return self[..<colon] + "://" + authority[at...].dropFirst()
  }

  /// Of a serialized URL.
  public var withoutFragment: Substring { prefix { $0 != "#" } }
}
