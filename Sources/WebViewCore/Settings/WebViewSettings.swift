/// The live settings of a controller, as the engine has them.
public struct WebViewSettings: Sendable, Equatable {
  /// nil: the engine's own user agent.
  public var customUserAgent: String?
  public var pageZoom: Double = 1
  public var viewport: Viewport = .standard
  public init() {}
}

/// A change of some settings. `.some(nil)` returns a nullable one to its default.
public struct SettingsPatch: Sendable, Equatable {
  public static let zoomRange = 0.25...5.0
  public var customUserAgent: String??
  public var pageZoom: Double?
  public var viewport: Viewport?
  public init() {}
}
