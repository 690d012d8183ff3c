import HTTPModel
import WebViewCore

/// Handlers that a page's scripts can post to.
enum MessageRoutes {
  static let all = [
    Operation.controller(
      "addScriptMessageHandler", .put, "/message-handlers/{name}", statuses: [200, 201],
      decode: { input, _ in try input.messageHandler() },
      run: { handler, controller, _ in
        (handler, controller.id, try controller.addMessageHandler(handler))
      },
      encode: { answer, _ in
        answer.2
          ? .created(encode(answer.0), location: location(of: answer.0, in: answer.1))
          : .json(encode(answer.0))
      }),
    Operation.controller(
      "listScriptMessageHandlers", .get, "/message-handlers", decode: { _, _ in },
      run: { _, controller, _ in try controller.messageHandlers() },
      encode: { handlers, _ in .json(["messageHandlers": .array(handlers.map { .object(encode($0)) })]) }),
    Operation.controller(
      "removeScriptMessageHandler", .delete, "/message-handlers/{name}", statuses: [204],
      decode: { input, _ in
        (try input.pathString("name", "the name of a message handler"), try input.contentWorld())
      },
      run: { call, controller, _ in try controller.removeMessageHandler(name: call.0, contentWorld: call.1) },
      encode: { _, _ in .nothing }),
  ]

  private static func location(of handler: MessageHandlerRegistration, in controller: ControllerID) -> String
  {
    let path = "/v1/controllers/\(controller)/message-handlers/\(PercentEncoding.segment(handler.name))"
    switch handler.contentWorld {
    case .page: return path
    case .defaultClient: return path + "?contentWorld=defaultClient"
    case .named(let name): return path + "?contentWorldName=\(PercentEncoding.segment(name))"
    }
  }

  private static func encode(_ handler: MessageHandlerRegistration) -> JSONObject {
    [
      "name": .string(handler.name), "contentWorld": handler.contentWorld.json,
      "includeFrameInfo": .bool(handler.includeFrameInfo), "bodyMode": .string(handler.bodyMode.rawValue),
    ]
  }
}

extension OperationInput {
  mutating func messageHandler() throws(ServiceError) -> MessageHandlerRegistration {
    MessageHandlerRegistration(
      name: try pathString("name", "the name that scripts post to"), contentWorld: try contentWorld(),
      includeFrameInfo: try bool("includeFrameInfo") ?? false,
      bodyMode: try enumeration("bodyMode") ?? .json)
  }
}
