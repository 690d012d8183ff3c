import WebViewCore

/// The text that is handed to WebKit for a call, and what comes back.
enum ScriptText {
  /// Names inside of the wrapper, which given code could see, are as unguessable as the runtime's.
  static let argumentName = PageRuntime.key + "a"
  /// Lines before the given code's first.
  static let leadingLines = 1

  static func body(of call: JavaScriptCall, limit: Int) -> String {
    let key = PageRuntime.key
    let names = call.arguments.map(\.name).joined(separator: ",")
    let mode =
      switch call.resultMode {
      case .json: "j"
      case .typed: "t"
      case .discard: "d"
      }
    let arguments = call.arguments.isEmpty ? "undefined" : argumentName
    let open: String
    let close: String
    switch call.code {
    case .functionBody: (open, close) = ("", "")
    case .expression: (open, close) = ("return (", ")")
    }
    return """
      const \(key)=globalThis["\(key)"];if(!\(key))return"m";return \(key).run(async function(\(names)){\(open)
      \(call.code.text)
      \(close)},"\(mode)",\(limit),\(arguments),\(call.hasTypedArguments))
      """
  }

  /// The arguments as one JSON array, in the order of the parameters; nil when there are none.
  static func arguments(of call: JavaScriptCall) -> String? {
    call.arguments.isEmpty ? nil : JSONText.write(.array(call.arguments.map(\.value)))
  }

  enum Answer {
    case result(Result<JavaScriptResult, EvaluationFailure>)
    /// The runtime is not in that world yet.
    case missingRuntime
  }

  static func parse(_ text: String, limit: Int) -> Answer {
    let rest = text.dropFirst()
    switch text.first {
    case "m": return .missingRuntime
    case "u": return .result(.success(.undefined))
    case "d": return .result(.success(.discarded))
    case "j": return .result(.success(.json(String(rest))))
    case "t": return .result(.success(.typed(String(rest))))
    case "s":
      let refusal = try? JSONText.decode(Refusal.self, from: String(rest))
      return .result(
        .failure(.notSerializable(path: refusal?.path ?? "", reason: refusal?.reason ?? "not serializable")))
    case "l": return .result(.failure(.tooLarge(size: Int(rest) ?? limit + 1, limit: limit)))
    case "e":
      let thrown = try? JSONText.decode(Thrown.self, from: String(rest))
      return .result(.failure(.exception(exception(thrown))))
    default: return .result(.failure(.engine("The page's process answered something unknown.")))
    }
  }

  struct Refusal: Decodable {
    var path: String
    var reason: String
  }

  private struct Thrown: Decodable {
    var name: String
    var message: String
    var line: Int?
    var column: Int?
    var sourceURL: String?
    var stack: String?
  }

  private static func exception(_ thrown: Thrown?) -> JavaScriptException {
    guard let thrown else { return JavaScriptException(name: "Error", message: "unreadable") }
    // Positions in the page's own scripts are told as they are; given code has no address.
    let isGivenCode = thrown.sourceURL == nil
    let line = thrown.line.map { isGivenCode ? $0 - leadingLines : $0 }
    return JavaScriptException(
      name: thrown.name, message: thrown.message, line: line.flatMap { $0 > 0 ? $0 : nil },
      column: line.map { $0 > 0 } == true ? thrown.column : nil, sourceURL: thrown.sourceURL,
      stack: thrown.stack)
  }
}
