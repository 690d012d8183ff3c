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
      "name": .string(handler.name), "contentWorld": ContentWorldJSON.value(handler.contentWorld),
      "includeFrameInfo": .bool(handler.includeFrameInfo), "bodyMode": .string(handler.bodyMode.rawValue),
    ]
  }
}

extension OperationInput {
  /// Names of the scripting app's own bridge (its documentation, "Asynchronous messages and removal").
  private static let reservedHandlers: Set<String> = [
    "callMethodsWithReply", "callMethodsWithoutReply", "__exec_js_callback_swift__",
  ]

  mutating func messageHandler() throws(ServiceError) -> MessageHandlerRegistration {
    let name = try pathString("name", "the name that scripts post to")
    guard Text.isName(name) else {
      throw ServiceError(
        .invalidArgument, "The name of a message handler has 1 to 128 characters and no control characters.",
        details: ["parameter": "name"])
    }
    guard !Self.reservedHandlers.contains(name) else {
      throw ServiceError(
        .invalidArgument, "The name `\(name)` is reserved: choose another.", details: ["parameter": "name"])
    }
    let world = try contentWorld()
    if let given = try find("includeFrameInfo"), try bool("includeFrameInfo") == true {
      var error = InputError.wrongValue(given, "must be false: frame information is not offered")
      error.details["values"] = [false]
      throw error
    }
    return MessageHandlerRegistration(
      name: name, contentWorld: world, includeFrameInfo: false, bodyMode: try enumeration("bodyMode") ?? .json
    )
  }
}
