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
          ScriptText.body(of: call, limit: limit), arguments: ScriptText.arguments(of: call),
          world: call.contentWorld, limit: limit, mayInstall: true, completion: completion)
      }
    }
  }

  private func run(
    _ body: String, arguments: String?, world: ContentWorld, limit: Int, mayInstall: Bool,
    completion: @escaping Evaluated
  ) {
    callFunction(body, arguments: arguments, world: world.engineName) { [weak self] answer in
      switch answer {
      case .failure(let failure): completion(.failure(failure))
      case .success(let text):
        switch ScriptText.parse(text ?? "", limit: limit) {
        case .result(let result): completion(result)
        case .missingRuntime:
          guard let self, mayInstall, self.canRunScripts else {
            return completion(.failure(.engine("The document does not run scripts.")))
          }
          // A document that was there before the runtime: calls stay in order, so no answer is awaited.
          self.installRuntime(world: world)
          self.run(
            body, arguments: arguments, world: world, limit: limit, mayInstall: false, completion: completion)
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
    let body = """
      const d=document.doctype,e=document.documentElement;
      return e?((d?new XMLSerializer().serializeToString(d):"")+e.outerHTML).toWellFormed():null
      """
    callFunction(body, arguments: nil, world: Self.internalWorld, completion: completion)
  }

  func probe(completion: @escaping @PageActor () -> Void) {
    withDocument { page in
      guard page.canRunScripts else { return }
      page.callFunction("return \"\"", arguments: nil, world: Self.internalWorld) { answer in
        // A document that runs no scripts refuses, which is an answer too.
        if case .failure(.processTerminated) = answer { return }
        completion()
      }
    }
  }

  /// Calls an async function of this body with one string argument; its result is a string, or nil for null.
  func callFunction(
    _ body: String, arguments: String?, world: String?,
    completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void
  ) {
    let view = view
    let process = processGeneration
    var body = body
    body.withUTF8 { text in
      // The length is passed: a NUL inside of a string literal is part of the code.
      text.withMemoryRebound(to: CChar.self) { text in
        webkit_web_view_call_async_javascript_function(
          view, text.baseAddress, gssize(text.count), arguments.flatMap(Self.variant), world, nil, nil,
          Completion.callback,
          Completion.data { [weak self] result in
            var error: GErrorPointer = nil
            if let value = webkit_web_view_call_async_javascript_function_finish(view, result, &error) {
              defer { g_object_unref(value.raw) }
              return completion(.success(Self.text(of: value)))
            }
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
          })
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
