extension WebViewController {
  /// Names that the seed's own bridge used.
  static let reservedHandlerNames = [
    "callMethodsWithReply", "callMethodsWithoutReply", "__exec_js_callback_swift__",
  ]

  /// True when it is new; an existing one of that name and world is replaced and its pending replies cancelled.
  public func addMessageHandler(_ handler: MessageHandlerRegistration) throws(ServiceError) -> Bool {
    try requireLife()
    try check(handler)
    let old = handlers.firstIndex { $0.isSame(handler.name, handler.contentWorld) }
    if let old {
      page.removeMessageHandler(name: handler.name, contentWorld: handler.contentWorld)
      cancelQuestions(of: handlers[old], reason: "The message handler was replaced.")
      handlers[old] = handler
    } else {
      handlers.append(handler)
    }
    guard page.addMessageHandler(handler) else {
      handlers.removeAll { $0.isSame(handler.name, handler.contentWorld) }
      throw ServiceError(
        .conflict, "The engine does not take a handler of the name \(handler.name) in this world.")
    }
    return old == nil
  }

  /// In order of registration.
  public func messageHandlers() throws(ServiceError) -> [MessageHandlerRegistration] {
    try requireLife()
    return handlers
  }

  /// Throws `notFound` with kind `messageHandler`.
  public func removeMessageHandler(name: String, contentWorld: ContentWorld) throws(ServiceError) {
    try requireLife()
    guard let index = handlers.firstIndex(where: { $0.isSame(name, contentWorld) })
    else {
      throw ServiceError(
        .notFound, "There is no message handler \"\(name)\" in this content world.",
        details: ["kind": "messageHandler"])
    }
    let handler = handlers.remove(at: index)
    page.removeMessageHandler(name: name, contentWorld: contentWorld)
    cancelQuestions(of: handler, reason: "The message handler was removed.")
  }

  private func check(_ handler: MessageHandlerRegistration) throws(ServiceError) {
    guard (1...128).contains(handler.name.unicodeScalars.count),
      !handler.name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw ServiceError(
        .invalidArgument, "A handler's name has 1 to 128 characters and no control characters.",
        details: ["parameter": "name"])
    }
    guard !Self.reservedHandlerNames.contains(handler.name), handler.name != ".", handler.name != ".." else {
      throw ServiceError(
        .invalidArgument, "The handler name \"\(handler.name)\" is reserved.", details: ["parameter": "name"])
    }
    guard !handler.includeFrameInfo else {
      throw ServiceError(
        .invalidArgument, "includeFrameInfo can only be false.",
        details: ["pointer": "/includeFrameInfo", "values": [false]])
    }
    if case .named(let world) = handler.contentWorld, world.isEmpty {
      throw ServiceError(
        .invalidArgument, "A content world's name is not empty.", details: ["pointer": "/contentWorld/name"])
    }
  }

  // MARK: Questions

  public func page(
    _ page: any EnginePage, didReceive message: ScriptMessage,
    reply: @escaping @PageActor (ScriptMessageReply) -> Void
  ) {
    let handler = handlers.first { $0.isSame(message.handlerName, message.contentWorld) }
    guard !isDisposed, let handler else {
      return reply(.failure(ServiceError(.cancelled, "The message handler was removed.")))
    }
    do {
      let asked = try context.callbacks.ask(
        .scriptMessage, controllerID: id, navigationID: documentNavigation,
        payload: message.payload(handler.bodyMode)
      ) { [weak self] id, answer in
        self?.questions[id] = nil
        reply(answer)
      }
      questions[asked] = handler
    } catch {
      reply(.failure(error))
    }
  }

  func cancelQuestions(of handler: MessageHandlerRegistration? = nil, reason: String) {
    let gone = questions.filter { question in
      handler.map { question.value.isSame($0.name, $0.contentWorld) } ?? true
    }
    context.callbacks.cancel(gone.keys, reason: reason)
  }
}

extension MessageHandlerRegistration {
  fileprivate func isSame(_ name: String, _ contentWorld: ContentWorld) -> Bool {
    self.name.isExactly(name) && self.contentWorld == contentWorld
  }
}

extension ScriptMessage {
  /// The contract's members of a `scriptMessage` callback.
  func payload(_ mode: MessageHandlerRegistration.BodyMode) -> JSONObject {
    var payload: JSONObject = ["name": .string(handlerName)]
    if let body { payload.append(mode == .json ? "body" : "typedBody", .raw(body)) }
    payload.append("contentWorld", contentWorld.json)
    return payload
  }
}
