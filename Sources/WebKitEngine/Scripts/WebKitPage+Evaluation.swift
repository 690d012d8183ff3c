import CWebKit
import GLibBridge
import WebViewCore

extension ContentWorld {
  /// WebKitGTK's name of the world; nil is the page's own. Clients' names have a prefix, so that none of them
  /// reaches the engine's own worlds.
  var engineName: String? {
    switch self {
    case .page: nil
    case .defaultClient: "default-client"
    case .named(let name): "named:" + name
    }
  }
}

extension WebKitPage {
  typealias Evaluated = @PageActor (Result<JavaScriptResult, EvaluationFailure>) -> Void

  /// The world of what the engine itself asks of a document.
  static let internalWorld = "internal"

  func evaluate(_ call: JavaScriptCall, completion: @escaping Evaluated) {
    withDocument { page in
      guard page.canRunScripts else { return completion(.failure(.processTerminated)) }
      page.installRuntimeOnce(world: call.contentWorld)
      let limit = page.engine.options.resultLimit
      // Both are on their way at once, so that calls stay in order; what the code did before it was found wrong
      // is its author's.
      let checked = page.checked(call, completion)
      page.run(
        ScriptText.script(of: call, limit: limit), .first, world: call.contentWorld,
        document: page.documentNumber,
        limit: limit, completion: checked)
    }
  }

  /// Holds the result back until the code is known to be right.
  private func checked(_ call: JavaScriptCall, _ completion: @escaping Evaluated) -> Evaluated {
    let names = call.arguments.map(\.name)
    guard !engine.knownScripts.contains(call.code, names: names) else { return completion }
    let verdict = ScriptVerdict(completion)
    ask(ScriptSyntax.check(call.code, names: names), world: Self.internalWorld) { [weak self] answer in
      // Where the check does not run, the code does not either.
      let failure = (try? answer.get()).flatMap { $0 }.flatMap { ScriptSyntax.parse($0, for: call.code) }
      if failure == nil, case .success = answer { self?.engine.knownScripts.insert(call.code, names: names) }
      verdict.checked(failure)
    }
    return { verdict.ran($0) }
  }

  private enum Attempt { case first, afterInstalling, taking }
  private static let changeOfDocument = Duration.milliseconds(250)

  /// - Parameter document: the one that was there when the call came.
  private func run(
    _ script: PageScript, _ attempt: Attempt, world: ContentWorld, document: Int, limit: Int,
    completion: @escaping Evaluated
  ) {
    ask(script, world: world.engineName) { [weak self] answer in
      let text: String
      switch answer {
      case .failure(let failure): return completion(.failure(failure))
      case .success(let answer): text = answer ?? ""
      }
      switch (ScriptText.parse(text, limit: limit), attempt) {
      case (.result(let result), _): completion(result)
      case (.promise(let id), .first), (.promise(let id), .afterInstalling):
        guard let self, self.canRunScripts else { return completion(.failure(.processTerminated)) }
        self.run(
          ScriptText.take(id), .taking, world: world, document: document, limit: limit, completion: completion
        )
      case (.promise, .taking):
        completion(.failure(.engine("The page's process answered something unknown.")))
      case (.missingRuntime, .first):
        guard let self, self.canRunScripts else { return completion(.failure(.processTerminated)) }
        self.installRuntime(world: world)
        self.run(
          script, .afterInstalling, world: world, document: document, limit: limit, completion: completion)
      case (.missingRuntime, _):
        guard let self, self.canRunScripts else { return completion(.failure(.processTerminated)) }
        // Another document may have answered; a change of processes is told a moment later.
        _ = self.engine.timers.after(Self.changeOfDocument) { [weak self] in
          guard let self, self.canRunScripts else { return completion(.failure(.processTerminated)) }
          guard self.documentNumber == document else { return completion(.failure(.documentReplaced)) }
          completion(.failure(.engine("The document does not run scripts.")))
        }
      }
    }
  }

  /// Before the first call in a world of a document: a call that finds none there is run again, behind others.
  private func installRuntimeOnce(world: ContentWorld) {
    guard world != .page, runtimeWorlds.insert(world).inserted else { return }
    installRuntime(world: world)
  }

  /// Into the current document of the main frame; documents to come get it from a user script.
  func installRuntime(world: ContentWorld) {
    let source = messageHandlers.runtime(in: world)
    webkit_web_view_evaluate_javascript(view, source, -1, world.engineName, nil, nil, nil, nil)
  }

  /// The parts of the document, which elements with such names would hide.
  private static let documentParts = """
    const get=(c,n,o)=>Object.getOwnPropertyDescriptor(c.prototype,n).get.call(o),
    d=get(Document,"doctype",document),e=get(Document,"documentElement",document)
    """

  func html(completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void) {
    guard canRunScripts, tracker.documentURL != nil else { return completion(.success(nil)) }
    let limit = engine.options.resultLimit
    let program = """
      (function(){\(Self.documentParts);if(!e)return null;
      const t=((d?new XMLSerializer().serializeToString(d):"")+get(Element,"outerHTML",e)).toWellFormed();
      if(t.length*3<=\(limit))return t;
      const n=t.length>\(limit)?t.length:new TextEncoder().encode(t).length;return n>\(limit)?n:t})()
      """
    ask(.program(program), world: Self.internalWorld, completion: completion)
  }

  /// Runs a script whose value is a string, nil for null, an object whose `r` is a string, or, as a number, the
  /// size of a string that is too large.
  func ask(
    _ script: PageScript, world: String?,
    completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void
  ) {
    let view = view
    let (process, document) = (processGeneration, documentNumber)
    let limit = engine.options.resultLimit
    let isAwaited = if case .asyncFunction = script.form { true } else { false }
    let ended: (GErrorPointer) -> Void = { [weak self] error in
      let failure = error.map { GLibError(consuming: $0) }
      @PageActor func fail(_ page: WebKitPage) {
        // WebKit fails the calls of a dead process with its general error, before it tells of the death.
        if page.processGeneration != process || !page.canRunScripts {
          completion(.failure(.processTerminated))
        } else if page.documentNumber != document {
          completion(.failure(.documentReplaced))
        } else {
          completion(.failure(.engine(failure?.message ?? "The engine gave no result.")))
        }
      }
      guard let self else { return completion(.failure(.processTerminated)) }
      self.afterThisTurn { page in
        guard isAwaited, page.canRunScripts, page.documentNumber == document else { return fail(page) }
        // So it fails, too, what a document took along that is gone, perhaps before it tells of the next one:
        // that comes before the process's next answer.
        page.probe { [weak page] in
          if let page { fail(page) } else { completion(.failure(.processTerminated)) }
        }
      }
    }
    typealias Finish = (OpaquePointer?, inout GErrorPointer) -> UnsafeMutablePointer<JSCValue>?
    func data(_ finish: @escaping Finish) -> gpointer {
      Completion.data { result in
        var error: GErrorPointer = nil
        guard let value = finish(result, &error) else { return ended(error) }
        defer { g_object_unref(value.raw) }
        guard jsc_value_is_number(value) == 0 else {
          return completion(.failure(.tooLarge(size: Int(jsc_value_to_double(value)), limit: limit)))
        }
        completion(.success(Self.text(of: value)))
      }
    }
    // The lengths are passed: a NUL inside of a string literal is part of the code.
    var text = script.text
    switch script.form {
    case .program:
      text.withUTF8 {
        webkit_web_view_evaluate_javascript(
          view, $0.text, gssize($0.count), world, script.sourceURL, nil, Completion.callback,
          data { webkit_web_view_evaluate_javascript_finish(view, $0, &$1) })
      }
    case .asyncFunction(let argument):
      text.withUTF8 {
        webkit_web_view_call_async_javascript_function(
          view, $0.text, gssize($0.count), argument.flatMap(Self.variant), world, script.sourceURL, nil,
          Completion.callback,
          data { webkit_web_view_call_async_javascript_function_finish(view, $0, &$1) })
      }
    }
  }

  private static func variant(_ arguments: String) -> OpaquePointer? {
    let type = g_variant_type_new("a{sv}")
    defer { g_variant_type_free(type) }
    let builder = g_variant_builder_new(type)
    defer { g_variant_builder_unref(builder) }
    let value = g_variant_new_variant(g_variant_new_string(arguments))
    g_variant_builder_add_value(
      builder, g_variant_new_dict_entry(g_variant_new_string(ScriptText.argumentName), value))
    return g_variant_builder_end(builder)
  }

  static func text(of value: UnsafeMutablePointer<JSCValue>) -> String? {
    guard jsc_value_is_object(value) == 0 else {
      guard let late = jsc_value_object_get_property(value, "r") else { return nil }
      defer { g_object_unref(late.raw) }
      return jsc_value_is_string(late) == 0 ? nil : text(of: late)
    }
    guard jsc_value_is_string(value) != 0, let bytes = jsc_value_to_string_as_bytes(value) else { return nil }
    defer { g_bytes_unref(bytes) }
    var count: gsize = 0
    guard let data = g_bytes_get_data(bytes, &count) else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: data, count: Int(count)), as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var text: UnsafePointer<CChar>? {
    UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self)
  }
}
