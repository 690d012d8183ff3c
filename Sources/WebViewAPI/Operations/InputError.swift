import WebViewCore

/// Sentences and details for values that are not what an operation takes.
enum InputError {
  typealias Given = OperationInput.Given

  static func wrongType(_ given: Given, name: String, expected: String) -> ServiceError {
    switch given {
    case .text(let items):
      ServiceError(
        .invalidArgument, "`\(items[0].parameter)` must be \(expected), not `\(excerpt(items[0].value))`.",
        details: ["parameter": .string(items[0].parameter)])
    case .json(let value, let pointer):
      ServiceError(
        .invalidArgument, "`\(pointer)` must be \(expected), not \(kind(of: value)).",
        details: ["pointer": .string(pointer)])
    }
  }

  static func twice(_ items: [QueryString.Item]) -> ServiceError {
    ServiceError(
      .invalidArgument, "`\(items[0].parameter)` is given \(items.count) times in the query: give it once.",
      details: ["parameter": .string(items[0].parameter)])
  }

  static func outOfRange(
    _ given: Given, name: String, minimum: JSONValue?, maximum: JSONValue?, range: String
  )
    -> ServiceError
  {
    var error = wrongValue(given, "must be \(range)")
    if let minimum { error.details["minimum"] = minimum }
    if let maximum { error.details["maximum"] = maximum }
    return error
  }

  static func notOneOf(_ given: Given, values: [String]) -> ServiceError {
    let list = values.map { "`\($0)`" }
    let text = list.count == 1 ? "must be \(list[0])" : "must be one of \(list.joined(separator: ", "))"
    var error = wrongValue(given, text)
    error.details["values"] = .array(values.map { .string($0) })
    return error
  }

  /// "`/pageZoom` must be from 0.25 to 5, not 9."
  static func wrongValue(_ given: Given, _ requirement: String) -> ServiceError {
    switch given {
    case .text(let items):
      ServiceError(
        .invalidArgument, "`\(items[0].parameter)` \(requirement), not `\(excerpt(items[0].value))`.",
        details: ["parameter": .string(items[0].parameter)])
    case .json(let value, let pointer):
      ServiceError(
        .invalidArgument, "`\(pointer)` \(requirement), not \(describe(value)).",
        details: ["pointer": .string(pointer)])
    }
  }

  static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .raw: "a string with an unpaired surrogate"
    case .array: "an array"
    case .object: "an object"
    }
  }

  private static func describe(_ value: JSONValue) -> String {
    switch value {
    case .number(let number): excerpt(number.literal)
    case .string(let text): "`\(excerpt(text))`"
    case .bool(let flag): flag ? "true" : "false"
    case .null, .raw, .array, .object: kind(of: value)
    }
  }

  private static func excerpt(_ text: String) -> String {
    text.count <= 60 ? text : text.prefix(57) + "…"
  }
}
