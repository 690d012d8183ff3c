/// Replies as they come in: strict, so that a mistyped member is told to whoever sent it.
enum CallbackReply {
  static func decode(_ reply: JSONObject, for kind: CallbackKind) throws(ServiceError) -> ScriptMessageReply {
    guard case .string(let given)? = reply["kind"] else {
      throw invalid("/kind", "A reply needs the member \"kind\", here \"\(kind.rawValue)\".")
    }
    guard given == kind.rawValue else {
      throw invalid("/kind", "This callback is of kind \"\(kind.rawValue)\", the reply of kind \"\(given)\".")
    }
    let known = ["kind", "value", "typedValue", "error"]
    for member in reply where !known.contains(member.name) {
      throw invalid(
        "/\(pointer(member.name))",
        "\"\(member.name)\" is not a member of this reply; known: value, typedValue, error.")
    }
    let given3 = ["value", "typedValue", "error"].filter { reply[$0] != nil }
    guard given3.count <= 1 else {
      throw invalid("/\(given3[1])", "Only one of value, typedValue and error can be given.")
    }
    if let value = reply["value"] { return .json(value) }
    if let value = reply["typedValue"] {
      try LocalValue.check(value, at: "/typedValue")
      return .typed(value)
    }
    if let error = reply["error"] { return .failure(try decodeError(error)) }
    return .undefined
  }

  private static func decodeError(_ value: JSONValue) throws(ServiceError) -> ServiceError {
    guard case .object(let error) = value else {
      throw invalid("/error", "error is an object with code and message.")
    }
    for member in error where member.name != "code" && member.name != "message" {
      throw invalid(
        "/error/\(pointer(member.name))", "\"\(member.name)\" is not a member of error; known: code, message."
      )
    }
    let codes: [ErrorCode] = [.javaScriptError, .serializationError, .cancelled]
    guard case .string(let text)? = error["code"], let code = codes.first(where: { $0.rawValue == text })
    else {
      let names = codes.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw invalid("/error/code", "error.code is one of \(names).")
    }
    switch error["message"] {
    case .string(let message)?: return ServiceError(code, message)
    case nil: return ServiceError(code, code.rawValue)
    default: throw invalid("/error/message", "error.message is a string.")
    }
  }

  static func invalid(_ pointer: String, _ message: String) -> ServiceError {
    ServiceError(.invalidArgument, message, details: ["pointer": .string(pointer)])
  }

  /// A JSON Pointer's escaping.
  static func pointer(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
