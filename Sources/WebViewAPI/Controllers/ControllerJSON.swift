import Foundation
import WebViewCore

enum ControllerJSON {
  static func state(_ state: WebViewState) -> JSONObject {
    [
      "url": JSONValue(state.url), "title": JSONValue(state.title), "isLoading": .bool(state.isLoading),
      "estimatedProgress": JSONValue(state.estimatedProgress),
      "canNavigateBack": .bool(state.canNavigateBack), "canNavigateForward": .bool(state.canNavigateForward),
      "hasOnlySecureContent": .bool(state.hasOnlySecureContent), "isDisposed": .bool(state.isDisposed),
      "isAttached": .bool(state.isAttached), "isPresented": .bool(state.isPresented),
    ]
  }

  /// What was supplied, and `ephemeral`.
  static func configuration(_ options: ControllerOptions) -> JSONObject {
    var object: JSONObject = ["ephemeral": .bool(options.ephemeral ?? false)]
    if let label = options.label { object["label"] = .string(label) }
    if let viewport = options.viewport { object["viewport"] = .object(SettingsJSON.viewport(viewport)) }
    if let settings = options.settings { object["settings"] = .object(SettingsJSON.patch(settings)) }
    return object
  }

  static func resource(_ controller: ControllerSummary) -> JSONObject {
    [
      "id": .string(controller.id.text), "label": JSONValue(controller.label),
      "node": JSONValue(controller.node),
      "createdAt": .string(Instant.text(controller.createdAt)), "openerId": nil,
      "configuration": .object(configuration(controller.options)), "state": .object(state(controller.state)),
    ]
  }
}

/// What a controller was at one moment, to be encoded elsewhere.
struct ControllerSummary: Sendable {
  let id: ControllerID
  let label: String?
  let node: String?
  let createdAt: Date
  let options: ControllerOptions
  let state: WebViewState
  let idleTime: Double

  @PageActor
  init(_ controller: WebViewController) {
    id = controller.id
    label = controller.label
    node = controller.node
    createdAt = controller.createdAt
    options = controller.options
    state = controller.state
    idleTime = controller.idleTime
  }
}
