import Foundation
import WebViewCore

/// The text that is handed to WebKit for a call, and what comes back.
enum ScriptText {
  /// Names inside of the wrapper, which given code could see, are as unguessable as the runtime's.
  static let argumentName = PageRuntime.key + "a"
  /// Lines before the given code's first.
  static let leadingLines = 1
  /// Longer arguments are no part of a program's text, which would be parsed.
  private static let shortArguments = 32 << 10

  static func script(of call: JavaScriptCall, limit: Int) -> PageScript {
    let key = PageRuntime.key
    let names = call.arguments.map(\.name).joined(separator: ",")
    let arguments = arguments(of: call)
    let mode =
      switch call.resultMode {
      case .json: "j"
      case .typed: "t"
      case .discard: "d"
      case .truth: "b"
      }
    let open: String
    let close: String
    switch call.code {
    case .functionBody: (open, close) = ("", "")
    case .expression: (open, close) = ("return (", ")")
    }
    // The bare name is the global object's own property, which a page can neither replace nor hide.
    func text(_ runtime: String, _ keyword: String, _ arguments: String) -> String {
      """
      if(typeof \(key)!=="object")return"m";return \(key).\(runtime)(\(keyword)(\(names)){\(open)
      \(call.code.text)
      \(close)},"\(mode)",\(limit),\(arguments),\(call.hasTypedArguments))
      """
    }
    let mayImport = call.code.mentions("import")
    let url = mayImport ? nil : PageScript.givenCode
    // Without `await` an async function does what a plain one does, up to its value; a program that may not
    // have an address of its own would get the document's.
    if mayImport || call.code.mentions("await") || (arguments?.utf8.count ?? 0) > shortArguments {
      let name = arguments == nil ? "undefined" : argumentName
      return PageScript(
        text: text("run", "async function", name), form: .asyncFunction(argument: arguments), sourceURL: url)
    }
    let literal = arguments.map { JSONWriter.text(.string($0)) } ?? "undefined"
    return PageScript(
      text: "(function(){\(text("now", "function", literal))})()", form: .program, sourceURL: url)
  }

  /// For the promise that a program's value was.
  static func take(_ id: Substring) -> PageScript {
    let key = PageRuntime.key
    return PageScript(
      text: "return typeof \(key)===\"object\"&&await \(key).take(\"\(id)\")||\"m\"",
      form: .asyncFunction(argument: nil))
  }

  /// The arguments as one JSON array, in the order of the parameters; nil when there are none.
  private static func arguments(of call: JavaScriptCall) -> String? {
    call.arguments.isEmpty ? nil : JSONWriter.text(.array(call.arguments.map(\.value)))
  }

  enum Answer {
    case result(Result<JavaScriptResult, EvaluationFailure>)
    /// The runtime is not in that world yet.
    case missingRuntime
    /// The value is a promise, which has to be asked for.
    case promise(Substring)
  }

  static func parse(_ text: String, limit: Int) -> Answer {
    let rest = text.dropFirst()
    switch text.first {
    case "m": return .missingRuntime
    case "p": return .promise(rest)
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
    let isGivenCode = thrown.sourceURL == nil || thrown.sourceURL == PageScript.givenCode
    let line = thrown.line.map { isGivenCode ? $0 - leadingLines : $0 }
    return JavaScriptException(
      name: thrown.name, message: thrown.message, line: line.flatMap { $0 > 0 ? $0 : nil },
      column: line.map { $0 > 0 } == true ? thrown.column : nil,
      sourceURL: isGivenCode ? nil : thrown.sourceURL, stack: thrown.stack.map(stack))
  }

  /// Down to the given code, with its own line numbers: what is below it is the wrapper.
  private static func stack(_ text: String) -> String {
    let mark = "@" + PageScript.givenCode + ":"
    // The runtime's functions that call given code, or read what it gave.
    let entries = ["now@", "call@", "jsonText@", "typedText@", "converted@", "encode@"]
    var frames = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let last = frames.indices.dropLast().last { index in
      (frames[index].contains(mark) || frames[index].hasSuffix("@"))
        && entries.contains { frames[index + 1].hasPrefix($0) }
    }
    if let last { frames.removeSubrange((last + 1)...) }
    return frames.compactMap { frame -> String? in
      guard let place = frame.range(of: mark) else { return frame }
      let position = frame[place.upperBound...].split(separator: ":")
      guard position.count == 2, let line = Int(position[0]) else { return frame }
      return line > leadingLines
        ? "\(frame[..<place.lowerBound])@:\(line - leadingLines):\(position[1])" : nil
    }.joined(separator: "\n")
  }
}

extension JavaScriptCall.Code {
  var text: String {
    switch self {
    case .functionBody(let text), .expression(let text): text
    }
  }

  /// Whether the word stands anywhere in it, be it in a text or a comment.
  fileprivate func mentions(_ word: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let word = Array(word.utf8)
      var start = bytes.startIndex
      while let first = bytes[start...].firstIndex(of: word[0]) {
        if bytes[first...].starts(with: word) { return true }
        start = first + 1
      }
      return false
    }
  }
}
