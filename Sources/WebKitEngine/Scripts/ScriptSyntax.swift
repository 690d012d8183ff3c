import WebViewCore

/// Whether given code is, by itself, what its wrapper takes it for. WebKit wraps code into a function textually,
/// so that code which closes that function runs outside of it; the constructor of async functions parses
/// parameters and body on their own. The page's own process does it, in the engine's world: there are expressions
/// that no parser ever gets done with.
enum ScriptSyntax {
  /// Runs nothing; its value is empty when the code is right.
  static func check(_ code: JavaScriptCall.Code, names: [String]) -> PageScript {
    let bodies: [String]
    switch code {
    case .functionBody(let text): bodies = [text]
    // What closes the parenthesis does not close the bracket: only one expression passes both.
    case .expression(let text): bodies = ["return (\n\(text)\n)", "return [\n\(text)\n]"]
    }
    let parameters = JSONWriter.text(.array(names.map { .string($0) }))
    let texts = JSONWriter.text(.array(bodies.map { .string($0) }))
    return .program(
      """
      (function(){const A=(async function(){}).constructor,names=\(parameters);try{
      for(const n of names)if(!/^[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*$/u.test(n))
      throw new SyntaxError('The argument name "'+n+'" is not a JavaScript identifier.');
      for(const b of \(texts))new A(...names,b)
      }catch(e){return JSON.stringify({name:e.name,message:e.message,line:e.line})}return""})()
      """)
  }

  static func parse(_ answer: String, for code: JavaScriptCall.Code) -> JavaScriptException? {
    guard !answer.isEmpty else { return nil }
    struct Thrown: Decodable {
      var name: String
      var message: String
      var line: Int?
    }
    guard let thrown = try? JSONText.decode(Thrown.self, from: answer) else { return nil }
    // The constructor puts two lines before the body.
    let leadingLines = if case .expression = code { 3 } else { 2 }
    return JavaScriptException(
      name: thrown.name,
      message: thrown.message == "Parser error"
        ? "The code closes the function that it is the body of." : thrown.message,
      line: thrown.line.map { $0 - leadingLines }.flatMap { $0 > 0 ? $0 : nil })
  }
}

/// Code that was found right, which most callers send again and again.
struct KnownScripts {
  /// Longer code takes longer to run than to check.
  private static let shortCode = 32 << 10
  private static let limit = 256

  private struct Key: Hashable {
    let code: ExactText
    let isExpression: Bool
    let names: [ExactText]

    init(_ code: JavaScriptCall.Code, _ names: [String]) {
      self.code = ExactText(code.text)
      isExpression = if case .expression = code { true } else { false }
      self.names = names.map { ExactText($0) }
    }
  }
  private var keys: Set<Key> = []

  func contains(_ code: JavaScriptCall.Code, names: [String]) -> Bool { keys.contains(Key(code, names)) }

  mutating func insert(_ code: JavaScriptCall.Code, names: [String]) {
    guard code.text.utf8.count <= Self.shortCode else { return }
    if keys.count >= Self.limit { keys.removeAll() }
    keys.insert(Key(code, names))
  }
}
