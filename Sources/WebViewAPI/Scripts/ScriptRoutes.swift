import WebViewCore

/// JavaScript in a page.
enum ScriptRoutes {
  static let all = [
    Operation.controller(
      "evaluateJavaScript", .post, "/evaluate",
      rawBody: .init(contentType: "text/javascript", member: "javaScript"),
      errors: [
        .javaScriptError, .serializationError, .unsupported, .cancelled, .webContentProcessTerminated,
      ],
      decode: { input, context in try input.javaScriptCall(context.services.limits) },
      run: { call, controller, context in try await controller.evaluate(call, deadline: context.deadline) },
      size: size,
      encode: { result, _ in .json(try encode(result)) })
  ]

  private static func size(_ result: JavaScriptResult) -> Int {
    switch result {
    case .undefined, .discarded: 0
    case .json(let text), .typed(let text): text.utf8.count
    }
  }

  private static func encode(_ result: JavaScriptResult) throws(ServiceError) -> JSONObject {
    switch result {
    case .undefined, .discarded: [:]
    case .json(let text): ["result": .raw(try checked(text))]
    case .typed(let text): ["typedResult": .raw(try checked(text))]
    }
  }

  /// A page's process that was taken over by its page may say anything.
  private static func checked(_ text: String) throws(ServiceError) -> String {
    guard JSONScanner.isValue(text) else {
      throw ServiceError(.serializationError, "The page's process gave a result that is not JSON.")
    }
    return text
  }
}

extension OperationInput {
  mutating func javaScriptCall(_ limits: Limits) throws -> JavaScriptCall {
    var call = JavaScriptCall(try code(limits))
    let plain = try arguments("arguments")
    let typed = try arguments("typedArguments")
    if plain != nil, typed != nil {
      throw ServiceError(
        .invalidArgument, "`arguments` and `typedArguments` are given: give one of them.",
        details: ["pointer": "/typedArguments"])
    }
    for argument in plain ?? [] {
      try PlainValue.check(argument.value, at: pointer(to: "arguments") + JSONPointer.token(argument.name))
    }
    for argument in typed ?? [] {
      try LocalValue.check(argument.value, at: "/typedArguments" + JSONPointer.token(argument.name))
    }
    call.arguments = plain ?? typed ?? []
    call.hasTypedArguments = typed != nil
    call.contentWorld = try contentWorld()
    call.resultMode = try enumeration("resultMode") ?? .json
    return call
  }

  private mutating func code(_ limits: Limits) throws -> JavaScriptCall.Code {
    let expression = try string("expression")
    var body = try string("javaScript")
    if let raw, raw.member == "javaScript" {
      guard let text = String(validating: raw.bytes, as: UTF8.self) else {
        throw ServiceError(.invalidArgument, "The JavaScript in the body is not UTF-8.")
      }
      body = text
    }
    switch (body, expression) {
    case (let body?, nil):
      try check(size: body.utf8.count, of: "javaScript", limit: limits.script)
      return .functionBody(body)
    case (nil, let expression?):
      try check(size: expression.utf8.count, of: "expression", limit: limits.script)
      return .expression(expression)
    case (nil, nil):
      throw missing("javaScript", expected: "the body of an async function, or an expression in `expression`")
    case (.some, .some):
      throw ServiceError(
        .invalidArgument, "`javaScript` and `expression` are given: give one of them.",
        details: ["pointer": "/expression"])
    }
  }

  private mutating func arguments(_ name: String) throws -> [JavaScriptCall.Argument]? {
    try jsonObject(name).map { object in
      try object.map { member in
        guard Identifier.isValid(member.name) else {
          throw ServiceError(
            .invalidArgument,
            "Names in `\(name)` must be JavaScript identifiers, which `\(member.name.prefix(60))` is not.",
            details: ["pointer": .string(pointer(to: name) + JSONPointer.token(member.name))])
        }
        return JavaScriptCall.Argument(name: member.name, value: member.value)
      }
    }
  }
}

/// What may name a parameter of an async function in strict code.
enum Identifier {
  /// Reserved words, those of strict and async code included.
  private static let reserved: Set<String> = [
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete",
    "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if",
    "implements",
    "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected",
    "public",
    "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while",
    "with",
    "yield",
  ]

  static func isValid(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name.utf8.count <= 1_024, !reserved.contains(name) else {
      return false
    }
    return isStart(first) && name.unicodeScalars.dropFirst().allSatisfy(isPart)
  }

  private static func isStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "$" || scalar == "_" || scalar.properties.isIDStart
  }
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "$" || scalar == "_" || scalar.properties.isIDContinue || scalar.value == 0x200C
      || scalar.value == 0x200D
  }
}
