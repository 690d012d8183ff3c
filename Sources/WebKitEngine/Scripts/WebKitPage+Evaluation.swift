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
    engine.syntax.check(call.code, names: call.arguments.map(\.name)) { [weak self] failure in
      if let failure { return completion(.failure(.exception(failure))) }
      guard let self else { return completion(.failure(.processTerminated)) }
      self.withDocument { page in
        guard page.canRunScripts else { return completion(.failure(.processTerminated)) }
        let limit = page.engine.options.resultLimit
        page.run(
          ScriptText.script(of: call, limit: limit), world: call.contentWorld, limit: limit, mayInstall: true,
          completion: completion)
      }
    }
  }

  private func run(
    _ script: PageScript, world: ContentWorld, limit: Int, mayInstall: Bool, completion: @escaping Evaluated
  ) {
    ask(script, world: world.engineName) { [weak self] answer in
      switch answer {
      case .failure(let failure): completion(.failure(failure))
      case .success(let text):
        switch ScriptText.parse(text ?? "", limit: limit) {
        case .result(let result): completion(result)
        case .promise(let id):
          guard let self, self.canRunScripts else { return completion(.failure(.processTerminated)) }
          self.run(
            ScriptText.take(id), world: world, limit: limit, mayInstall: false, completion: completion)
        case .missingRuntime:
          guard let self, mayInstall, self.canRunScripts else {
            return completion(.failure(.engine("The document does not run scripts.")))
          }
          // A document that was there before the runtime: calls stay in order, so no answer is awaited.
          self.installRuntime(world: world)
          self.run(script, world: world, limit: limit, mayInstall: false, completion: completion)
        }
      }
    }
  }

  /// Into the current document of the main frame; documents to come get it from a user script.
  func installRuntime(world: ContentWorld) {
    let source = messageHandlers.runtime(in: world)
    webkit_web_view_evaluate_javascript(view, source, -1, world.engineName, nil, nil, nil, nil)
  }

  func html(completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void) {
    guard canRunScripts, tracker.documentURL != nil else { return completion(.success(nil)) }
    let limit = engine.options.resultLimit
    let program = """
      (function(){const d=document.doctype,e=document.documentElement;if(!e)return null;
      const t=((d?new XMLSerializer().serializeToString(d):"")+e.outerHTML).toWellFormed();
      if(t.length*3<=\(limit))return t;
      const n=t.length>\(limit)?t.length:new TextEncoder().encode(t).length;return n>\(limit)?n:t})()
      """
    ask(.program(program), world: Self.internalWorld, completion: completion)
  }

  func probe(completion: @escaping @PageActor () -> Void) {
    withDocument { page in
      guard page.canRunScripts else { return }
      page.ask(.program("\"\""), world: Self.internalWorld) { answer in
        // A document that runs no scripts refuses, which is an answer too.
        if case .failure(.processTerminated) = answer { return }
        completion()
      }
    }
  }

  /// Runs a script whose value is a string, nil for null, or, as a number, the size of a string that is too large.
  func ask(
    _ script: PageScript, world: String?,
    completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void
  ) {
    let view = view
    let process = processGeneration
    let limit = engine.options.resultLimit
    let ended: (GErrorPointer) -> Void = { [weak self] error in
      let failure = error.map { GLibError(consuming: $0) }
      guard let self else { return completion(.failure(.processTerminated)) }
      self.afterThisTurn { page in
        // WebKit fails the calls of a dead process with its general error, before it tells of the death.
        if page.processGeneration != process || !page.canRunScripts {
          completion(.failure(.processTerminated))
        } else {
          completion(.failure(.engine(failure?.message ?? "The engine gave no result.")))
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
