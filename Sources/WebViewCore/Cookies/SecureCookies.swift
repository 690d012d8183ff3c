extension Cookie {
  /// RFC 6265bis, "leave secure cookies alone": what came without encryption takes no place of a secure cookie,
  /// nor of one that a site would take for it.
  public func isShadowing(_ other: Cookie) -> Bool {
    other.isSecure && name == other.name && (host.isWithin(other.host) || other.host.isWithin(host))
      && isPath(within: other.path)
  }

  private var host: Substring { domain.lowercased().drop { $0 == "." } }

  private func isPath(within other: String) -> Bool {
    path == other || path.hasPrefix(other.hasSuffix("/") ? other : other + "/")
  }
}

extension Substring {
  fileprivate func isWithin(_ domain: Substring) -> Bool { self == domain || hasSuffix("." + domain) }
}
