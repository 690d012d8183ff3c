/// What this build honours: whatever is not listed here is refused.
public struct Capabilities: Sendable, Equatable {
  /// Told and accepted form of an option or a setting.
  public struct Member: Sendable, Equatable {
    public enum Scope: String, Sendable { case controller, store }
    public var name: String
    public var type: String
    public var defaultValue: JSONValue
    public var values: [JSONValue]?
    /// Of a number, or of each member of an object of numbers.
    public var range: ClosedRange<Double>?
    /// nil for settings.
    public var scope: Scope?

    public var json: JSONObject {
      var object: JSONObject = ["type": .string(type), "default": defaultValue]
      if let values { object.append("values", .array(values)) }
      if let range {
        object.append("minimum", JSONValue(range.lowerBound))
        object.append("maximum", JSONValue(range.upperBound))
      }
      if let scope { object.append("scope", .string(scope.rawValue)) }
      return object
    }
  }

  public var configuration: [Member]
  public var settings: [Member]

  /// - Parameter defaults: the engine's own values.
  public init(defaults: WebViewSettings) {
    let viewport: JSONValue = [
      "width": JSONValue(defaults.viewport.width), "height": JSONValue(defaults.viewport.height),
    ]
    let sides = Double(Viewport.range.lowerBound)...Double(Viewport.range.upperBound)
    configuration = [
      Member(name: "ephemeral", type: "boolean", defaultValue: false, scope: .controller),
      Member(name: "label", type: "string", defaultValue: .null, scope: .controller),
      Member(
        name: "viewport", type: "object", defaultValue: viewport, range: sides, scope: .controller),
      Member(name: "settings", type: "object", defaultValue: [:], scope: .controller),
    ]
    settings = [
      Member(name: "customUserAgent", type: "string", defaultValue: JSONValue(defaults.customUserAgent)),
      Member(
        name: "pageZoom", type: "number", defaultValue: JSONValue(defaults.pageZoom),
        range: SettingsPatch.zoomRange),
      Member(name: "viewport", type: "object", defaultValue: viewport, range: sides),
    ]
  }

  /// The contract's form.
  public var json: JSONObject {
    [
      "configuration": .object(Self.object(configuration)),
      "settings": .object(Self.object(settings)),
      "navigationPolicies": ["allow", "cancel"],
      "downloadPolicy": false,
      "contentWorlds": true,
      "frameTargeting": false,
      "cachePolicies": .array(CachePolicy.honoured.map { .string($0.rawValue) }),
      "requestMethods": .array(LoadRequest.commonMethods.map { .string($0) }),
      "resultModes": .array(ResultMode.allCases.map { .string($0.rawValue) }),
      "snapshotFormats": ["png"],
      "contentRuleActions": [],
      "eventTypes": .array(EventType.allCases.map { .string($0.rawValue) }),
      "callbackKinds": .array(CallbackKind.allCases.map { .string($0.rawValue) }),
    ]
  }

  private static func object(_ members: [Member]) -> JSONObject {
    JSONObject(members: members.map { JSONObject.Member(name: $0.name, value: .object($0.json)) })
  }
}
