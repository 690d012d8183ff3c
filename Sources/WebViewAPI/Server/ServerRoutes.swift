import Foundation
import HTTPModel
import WebViewCore

/// What the server tells of itself.
enum ServerRoutes {
  static let all = [
    Operation.plain("getHealth", .get, "/healthz", kind: .probe) { _, _ in .json(["status": "ok"]) },
    Operation.plain("getReadiness", .get, "/readyz", kind: .probe, errors: [.unavailable]) { _, context in
      try context.requireReady()
      return .json(["status": "ready"])
    },
    Operation.plain("getOpenAPI", .get, "/openapi.json") { _, context in
      OperationResult(content: .document(context.documents.openAPI))
    },
    Operation.plain("getAsyncAPI", .get, "/asyncapi.json") { _, context in
      OperationResult(content: .document(context.documents.asyncAPI))
    },
    Operation.page(
      "getServer", .get, "/v1/server", isAlwaysOffered: true, decode: { _, _ in },
      run: { _, context in context.services.controllers.list(label: nil).count },
      encode: { count, context in .json(ServerJSON.server(context.services, controllers: count)) }),
    Operation.page(
      "getCapabilities", .get, "/v1/capabilities", decode: { _, _ in },
      run: { _, context in Capabilities(defaults: context.services.controllers.defaultSettings) },
      encode: { capabilities, _ in .json(capabilities.json) }),
  ]
}

extension OperationContext {
  /// Throws `unavailable` while the server starts or drains.
  func requireReady() throws(ServiceError) {
    let state = services.readiness.state
    guard state != .ready else { return }
    throw ServiceError(
      .unavailable,
      state == .starting ? "The server is starting: try again in a moment." : "The server is stopping.",
      details: ["reason": .string(state.rawValue)])
  }
}
