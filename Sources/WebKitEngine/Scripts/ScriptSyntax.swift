import CWebKit
import Dispatch
import GLibBridge
import WebViewCore

/// Checks given code by itself. WebKit wraps code into a function textually, so that code which closes that
/// function runs outside of it; the constructor of async functions parses parameters and body on their own.
/// Nothing is executed.
@PageActor
final class ScriptSyntax {
  /// Longer code is parsed on a thread of its own: the page actor must not stop for it.
  private static let shortCode = 32 << 10
  private static let remembered = 256

  /// Made late: a JavaScript machine that is there before WebKit gives its thread a run loop that nobody runs.
  private lazy var parser = ScriptParser()
  private let queue = DispatchQueue(label: "script-syntax")
  private var known: Set<Key> = []

  private struct Key: Hashable {
    var code: JavaScriptCall.Code
    var names: [String]
  }

  /// Calls back with nil when the code parses; at once when it is short or was seen before.
  func check(
    _ code: JavaScriptCall.Code, names: [String], then: @escaping @PageActor (JavaScriptException?) -> Void
  ) {
    if let wrong = names.first(where: { !Self.isIdentifier($0) }) {
      return then(
        JavaScriptException(
          name: "SyntaxError", message: "The argument name \"\(wrong)\" is not a JavaScript identifier."))
    }
    let key = Key(code: code, names: names)
    if known.contains(key) { return then(nil) }
    guard code.text.utf8.count > Self.shortCode else {
      let failure = parser.parse(code, names: names)
      if failure == nil { remember(key) }
      return then(failure)
    }
    // Parsers are not shared between threads; one for a long script costs little beside parsing it.
    queue.async {
      let failure = ScriptParser().parse(code, names: names)
      Task { @PageActor in then(failure) }
    }
  }

  private func remember(_ key: Key) {
    if known.count >= Self.remembered { known.removeAll() }
    known.insert(key)
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    func starts(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "$" || scalar == "_" || scalar.properties.isIDStart
    }
    return starts(first)
      && name.unicodeScalars.dropFirst().allSatisfy {
        starts($0) || $0.properties.isIDContinue || $0 == "\u{200C}" || $0 == "\u{200D}"
      }
  }
}

extension JavaScriptCall.Code: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
  var text: String {
    switch self {
    case .functionBody(let text), .expression(let text): text
    }
  }
}

/// A JavaScript context of this process, used on one thread, that only parses.
private final class ScriptParser {
  private let context: OwnedContext
  private let constructor: UnsafeMutablePointer<JSCValue>?

  private struct OwnedContext { let pointer: UnsafeMutablePointer<JSCContext> }

  init() {
    let machine = jsc_virtual_machine_new()
    let context = jsc_context_new_with_virtual_machine(machine)!
    g_object_unref(machine?.raw)
    self.context = OwnedContext(pointer: context)
    constructor = jsc_context_evaluate(context, "Object.getPrototypeOf(async function () {}).constructor", -1)
  }

  deinit {
    if let constructor { g_object_unref(constructor.raw) }
    g_object_unref(context.pointer.raw)
  }

  func parse(_ code: JavaScriptCall.Code, names: [String]) -> JavaScriptException? {
    switch code {
    case .functionBody(let text): return parse(body: text, names: names, leadingLines: 0)
    case .expression(let text):
      // What closes the parenthesis does not close the bracket: only one expression passes both.
      return parse(body: "return (\n\(text)\n)", names: names, leadingLines: 1)
        ?? parse(body: "return [\n\(text)\n]", names: names, leadingLines: 1)
    }
  }

  private func parse(body: String, names: [String], leadingLines: Int) -> JavaScriptException? {
    var parameters: [UnsafeMutablePointer<JSCValue>?] = (names + [body]).map { text in
      var text = text
      return text.withUTF8 {
        let bytes = g_bytes_new($0.baseAddress, gsize($0.count))
        defer { g_bytes_unref(bytes) }
        return jsc_value_new_string_from_bytes(context.pointer, bytes)
      }
    }
    defer { for parameter in parameters { g_object_unref(parameter?.raw) } }
    let made = jsc_value_constructor_callv(constructor, guint(parameters.count), &parameters)
    if let made { g_object_unref(made.raw) }
    guard let exception = jsc_context_get_exception(context.pointer) else { return nil }
    defer { jsc_context_clear_exception(context.pointer) }
    let said = string(jsc_exception_get_message(exception)) ?? ""
    // The constructor puts two lines before the body.
    let line = Int(jsc_exception_get_line_number(exception)) - 2 - leadingLines
    return JavaScriptException(
      name: string(jsc_exception_get_name(exception)) ?? "SyntaxError",
      message: said == "Parser error" ? "The code closes the function that it is the body of." : said,
      line: line > 0 ? line : nil)
  }
}
