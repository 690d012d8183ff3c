import WebViewCore

enum SettingsJSON {
  static func settings(_ settings: WebViewSettings) -> JSONObject {
    [
      "customUserAgent": JSONValue(settings.customUserAgent),
      "pageZoom": JSONValue(settings.pageZoom),
      "viewport": .object(viewport(settings.viewport)),
    ]
  }

  static func viewport(_ viewport: Viewport) -> JSONObject {
    ["width": JSONValue(viewport.width), "height": JSONValue(viewport.height)]
  }

  /// Only what was supplied.
  static func patch(_ patch: SettingsPatch) -> JSONObject {
    var object: JSONObject = [:]
    if let agent = patch.customUserAgent { object["customUserAgent"] = JSONValue(agent) }
    if let zoom = patch.pageZoom { object["pageZoom"] = JSONValue(zoom) }
    if let size = patch.viewport { object["viewport"] = .object(viewport(size)) }
    return object
  }
}

extension OperationInput {
  mutating func viewport(_ name: String) throws(ServiceError) -> Viewport? {
    guard var members = try object(name) else { return nil }
    let viewport = Viewport(
      width: try members.requiredInteger("width", in: Viewport.range),
      height: try members.requiredInteger("height", in: Viewport.range))
    try members.finish()
    return viewport
  }

  /// The settings that stand side by side in this input.
  mutating func settingsPatch() throws(ServiceError) -> SettingsPatch {
    var patch = SettingsPatch()
    patch.customUserAgent = try userAgent()
    patch.pageZoom = try number("pageZoom", in: SettingsPatch.zoomRange)
    patch.viewport = try viewport("viewport")
    return patch
  }

  private mutating func userAgent() throws(ServiceError) -> String?? {
    let agent = try nullableString("customUserAgent")
    if let text = agent ?? nil, text.isEmpty || text.utf8.count > 4_096 || !Text.isHeaderValue(text) {
      throw ServiceError(
        .invalidArgument,
        "`\(pointer(to: "customUserAgent"))` must be 1 to 4096 printable ASCII characters, or null for the engine's own.",
        details: ["pointer": .string(pointer(to: "customUserAgent"))])
    }
    return agent
  }
}

/// Rules for texts that clients choose.
enum Text {
  /// What may stand in a header field without being cut, folded or refused on the way.
  static func isHeaderValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// 1 to 128 characters, no control characters, not `.` or `..`.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= 128 && text != "." && text != ".."
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
