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
    patch.customUserAgent = try nullableString("customUserAgent")
    patch.pageZoom = try number("pageZoom", in: SettingsPatch.zoomRange)
    patch.viewport = try viewport("viewport")
    return patch
  }
}

/// Rules for texts that clients choose.
enum Text {
  /// 1 to 128 characters, no control characters, not `.` or `..`.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= 128 && text != "." && text != ".."
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
