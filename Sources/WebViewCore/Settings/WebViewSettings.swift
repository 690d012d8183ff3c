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

extension SettingsPatch {
  /// All or nothing: throws `invalidArgument` for the first value that is not allowed.
  func validate() throws(ServiceError) {
    if let pageZoom, !pageZoom.isFinite || !Self.zoomRange.contains(pageZoom) {
      throw ServiceError(
        .invalidArgument,
        "pageZoom is a number from \(Self.zoomRange.lowerBound) to \(Self.zoomRange.upperBound).",
        details: [
          "pointer": "/pageZoom", "minimum": JSONValue(Self.zoomRange.lowerBound),
          "maximum": JSONValue(Self.zoomRange.upperBound),
        ])
    }
    // It becomes an HTTP header, where anything else would be cut, folded or refused on the way.
    if let agent = customUserAgent ?? nil,
      !(1...4_096).contains(agent.utf8.count) || !agent.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
    {
      throw .invalid(
        "/customUserAgent",
        "customUserAgent is 1 to 4096 printable ASCII characters, or null for the engine's own.")
    }
    try viewport?.validate(at: "/viewport")
  }
}

extension Viewport {
  func validate(at pointer: String) throws(ServiceError) {
    for (name, value) in [("width", width), ("height", height)] where !Self.range.contains(value) {
      throw ServiceError(
        .invalidArgument, "\(name) is a whole number from 1 to 10000.",
        details: [
          "pointer": .string("\(pointer)/\(name)"), "minimum": JSONValue(Self.range.lowerBound),
          "maximum": JSONValue(Self.range.upperBound),
        ])
    }
  }
}
