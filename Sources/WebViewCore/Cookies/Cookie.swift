import Foundation

public struct Cookie: Sendable, Equatable {
  public enum SameSite: String, CaseIterable, Sendable { case none, lax, strict }
  public var name: String
  public var value: String
  /// With a leading dot it also matches subdomains.
  public var domain: String
  public var path: String
  public var isSecure: Bool
  public var isHTTPOnly: Bool
  /// nil: a session cookie.
  public var expiresDate: Date?
  public var sameSite: SameSite?
  public var isSessionOnly: Bool { expiresDate == nil }
  public var isHostOnly: Bool { !domain.hasPrefix(".") }

  public init(
    name: String, value: String, domain: String, path: String = "/", isSecure: Bool = false,
    isHTTPOnly: Bool = false, expiresDate: Date? = nil, sameSite: SameSite? = nil
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.path = path
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.expiresDate = expiresDate
    self.sameSite = sameSite
  }
}

/// Exact and ANDed; none set matches everything.
public struct CookieFilter: Sendable, Equatable {
  public var url: String?
  public var name: String?
  public var domain: String?
  public var path: String?
  public init() {}
}

public struct SetCookieResult: Sendable, Equatable {
  public var accepted: Bool
  public var reason: String?
  /// As the jar holds it.
  public var stored: Cookie?
  public init(accepted: Bool, reason: String? = nil, stored: Cookie? = nil) {
    self.accepted = accepted
    self.reason = reason
    self.stored = stored
  }
}
