import WebViewCore

/// Questions that a page asks, and their answers.
enum CallbackRoutes {
  static let all = [
    Operation.controller(
      "listCallbacks", .get, "/callbacks",
      decode: { input, context in
        let kinds = try input.strings("kinds", among: CallbackKind.allCases.map(\.rawValue))
        return (
          since: try input.integer("since", in: 0...Int.max),
          kinds: kinds.map { Set($0.compactMap { CallbackKind(rawValue: $0) }) },
          poll: try input.poll(context)
        )
      },
      run: { call, controller, _ in
        try await controller.callbacks(kinds: call.kinds, since: call.since, poll: call.poll)
      },
      size: { page in page.callbacks.reduce(0) { $0 + JSONValue.object($1.payload).roughSize } },
      encode: { page, _ in
        .json([
          "callbacks": .array(page.callbacks.map { .object(CallbackJSON.callback($0)) }),
          "next": JSONValue(page.next),
        ])
      }),
    Operation.controller(
      "replyToCallback", .post, "/callbacks/{callbackId}/reply", statuses: [204],
      errors: [.conflict],
      decode: { input, _ in
        (
          CallbackID(text: try input.pathString("callbackId", "the id of a callback")),
          try input.callbackReply()
        )
      },
      run: { call, controller, context in
        try context.services.callbacks.reply(to: call.0, controllerID: controller.id, reply: call.1)
      }, encode: { _, _ in .nothing }),
  ]
}

enum CallbackJSON {
  static func callback(_ callback: Callback) -> JSONObject {
    var object: JSONObject = [
      "callbackId": .string(callback.id.text), "kind": .string(callback.kind.rawValue),
      "controllerId": .string(callback.controllerID.text),
      "navigationId": JSONValue(callback.navigationID?.description),
      "expiresIn": JSONValue(callback.expiresIn),
    ]
    for member in callback.payload { object[member.name] = member.value }
    return object
  }
}

extension OperationInput {
  /// `kind`, and at most one of the members that it allows.
  mutating func callbackReply() throws(ServiceError) -> ScriptMessageReply {
    guard let kind = try enumeration("kind", as: CallbackKind.self) else {
      throw missing("kind", expected: "the kind of the callback")
    }
    switch kind {
    case .scriptMessage: return try scriptMessageReply()
    }
  }

  private mutating func scriptMessageReply() throws(ServiceError) -> ScriptMessageReply {
    let value = try jsonValue("value")
    let typed = try jsonValue("typedValue")
    let error = try object("error")
    let given = [("value", value != nil), ("typedValue", typed != nil), ("error", error != nil)]
      .filter(\.1).map(\.0)
    guard given.count <= 1 else {
      throw ServiceError(
        .invalidArgument, "A reply holds one of `value`, `typedValue` and `error`, not several.",
        details: ["pointer": .string(pointer(to: given[1]))])
    }
    if let value {
      try PlainValue.check(value, at: pointer(to: "value"))
      return .json(value)
    }
    if let typed {
      try LocalValue.check(typed, at: pointer(to: "typedValue"))
      return .typed(typed)
    }
    guard var members = error else { return .undefined }
    let failure = try members.replyError()
    try members.finish()
    return .failure(failure)
  }

  /// Any JSON value; in the query it has no form.
  private mutating func jsonValue(_ name: String) throws(ServiceError) -> JSONValue? {
    guard let given = try find(name) else { return nil }
    guard case .json(let value, _) = given else {
      throw InputError.wrongValue(given, "can only be given in a JSON body")
    }
    return value
  }

  private mutating func replyError() throws(ServiceError) -> ServiceError {
    let codes = [ErrorCode.javaScriptError, .serializationError, .cancelled]
    let names = codes.map(\.rawValue)
    guard let name = try choice("code", among: names), let code = ErrorCode(rawValue: name) else {
      throw missing("code", expected: "one of \(names.joined(separator: ", "))")
    }
    return ServiceError(code, try requiredString("message", "what the page is told"))
  }

  /// Seconds to wait for something new.
  mutating func poll(_ context: OperationContext) throws(ServiceError) -> Double {
    guard let given = try find("poll"), let seconds = try number("poll", in: 0...300) else { return 0 }
    let timeout = context.deadline.seconds
    guard seconds <= timeout else {
      throw InputError.outOfRange(
        given, name: "poll", minimum: 0, maximum: JSONValue(timeout),
        range: "at most the `timeout`, which is \(JSONNumber(timeout).literal) (give a longer one with it)")
    }
    return seconds
  }
}
