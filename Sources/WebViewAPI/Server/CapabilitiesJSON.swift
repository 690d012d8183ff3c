import WebViewCore

enum CapabilitiesJSON {
  static func capabilities(_ services: ServerServices) -> JSONObject {
    let defaults = WebViewSettings()
    return [
      "configuration": [
        "ephemeral": ["type": "boolean", "default": false, "scope": "controller"],
        "label": ["type": "string", "default": nil, "scope": "controller"],
        "viewport": viewport(scope: "controller"),
        "settings": ["type": "object", "default": [:], "scope": "controller"],
      ],
      "settings": [
        "customUserAgent": ["type": "string", "default": nil],
        "pageZoom": [
          "type": "number", "default": JSONValue(defaults.pageZoom),
          "minimum": JSONValue(SettingsPatch.zoomRange.lowerBound),
          "maximum": JSONValue(SettingsPatch.zoomRange.upperBound),
        ],
        "viewport": viewport(scope: nil),
      ],
      "navigationPolicies": ["allow", "cancel"],
      "downloadPolicy": false,
      "contentWorlds": true,
      "frameTargeting": false,
      "cachePolicies": [],
      "requestMethods": ["GET"],
      "resultModes": words(ResultMode.allCases.map(\.rawValue)),
      "snapshotFormats": ["png"],
      "contentRuleActions": [],
      "eventTypes": words(EventType.allCases.map(\.rawValue)),
      "callbackKinds": words(CallbackKind.allCases.map(\.rawValue)),
    ]
  }

  private static func viewport(scope: String?) -> JSONValue {
    var object: JSONObject = [
      "type": "object", "default": .object(SettingsJSON.viewport(.standard)),
      "minimum": JSONValue(Viewport.range.lowerBound), "maximum": JSONValue(Viewport.range.upperBound),
    ]
    if let scope { object["scope"] = .string(scope) }
    return .object(object)
  }

  private static func words(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
}
