extension WebViewController {
  public func evaluate(_ call: JavaScriptCall, deadline: Deadline) async throws -> JavaScriptResult {
    try requireProcess()
    let (code, member) =
      switch call.code {
      case .functionBody(let code): (code, "/javaScript")
      case .expression(let code): (code, "/expression")
      }
    guard code.utf8.count <= context.limits.script else {
      throw ServiceError.tooLarge(
        "The script", size: code.utf8.count, limit: context.limits.script, at: member)
    }
    return try await engineCall(.document, deadline: deadline) { page, done in
      page.evaluate(call) { done($0.mapError { $0 }) }
    }
  }

  /// nil when there is no document: before the first load, after the process ended.
  public func html(deadline: Deadline) async throws -> String? {
    try await ofPresentDocument { [self] in
      let html: String? = try await engineCall(.document, deadline: deadline) { page, done in
        page.html { done($0.mapError { $0 }) }
      }
      if let size = html?.utf8.count, size > context.limits.result {
        throw ServiceError.tooLarge("The document", size: size, limit: context.limits.result)
      }
      return html
    }
  }

  /// What a reader of the page sees; nil where `html` is nil.
  public func text(deadline: Deadline) async throws -> String? {
    var call = JavaScriptCall(
      .expression(
        """
        (get => (e => e ? get(HTMLElement, 'innerText', e) ?? get(Node, 'textContent', e) : '')(
          get(Document, 'documentElement', document)))((c, n, o) => {
            // Elements with such names would hide the document's own members.
            try { return Object.getOwnPropertyDescriptor(c.prototype, n).get.call(o) } catch { return null }
          })
        """))
    // A world that the page cannot reach into.
    call.contentWorld = .defaultClient
    let reading = call
    return try await ofPresentDocument { [self] in
      guard case .json(let literal) = try await evaluate(reading, deadline: deadline) else { return "" }
      return JSONString.replacingSurrogates(in: literal)
    }
  }

  /// What is read of the document that is there; nil when there is none. Where another document takes its place
  /// meanwhile, that one's is what the caller wants.
  private func ofPresentDocument(_ read: @PageActor () async throws -> String?) async throws -> String? {
    try requireLife()
    while hasDocument {
      do {
        return try await read()
      } catch let error as ServiceError where error.code == .cancelled {
        continue
      } catch let error as ServiceError where error.code == .webContentProcessTerminated {
        return nil
      }
    }
    return nil
  }

  // MARK: Calls of the engine

  /// A call whose completion may never come: it ends with the document, the process, the controller, its
  /// deadline or its caller. A page that misses a deadline is probed.
  func engineCall<Value: Sendable>(
    _ kind: PendingEvaluations.Kind, deadline: Deadline,
    _ start: (any EnginePage, @escaping @PageActor (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    beginUse()
    defer { endUse() }
    // Others may have run since the caller looked: nobody would end a call that begins after the end.
    try requireLife()
    let id = pending.open(kind)
    return try await callWaits.wait(
      id, deadline: deadline,
      expired: { [self] in
        _ = pending.settle(id)
        flushStateChange()
        if kind != .independent { probe() }
        return ServiceError(.timeout, "No answer within \(deadline.text).")
      },
      withdrawn: { [self] in _ = pending.settle(id) },
      start: { resume in
        // Weak: the engine may keep what it never calls.
        start(page) { [weak self] result in self?.settle(id, result, resume) }
      })
  }

  private func settle<Value>(
    _ id: PendingEvaluations.ID, _ result: Result<Value, any Error>,
    _ resume: @escaping @PageActor (Result<Value, any Error>) -> Void
  ) {
    if case .failure(EvaluationFailure.processTerminated) = result {
      // The reason comes with the engine's event; should that stay away, this is all there is to say.
      _ = context.timers.after(.milliseconds(500)) { [self] in
        guard pending.settle(id) else { return }
        resume(.failure(Self.terminated(.crashed)))
      }
      return
    }
    guard pending.settle(id) else { return }
    flushStateChange()
    resume(result.mapError { ($0 as? EvaluationFailure)?.serviceError ?? $0 })
  }

  /// The same for a port's asynchronous function.
  func call<Value: Sendable>(
    _ kind: PendingEvaluations.Kind, deadline: Deadline, _ work: @escaping @PageActor () async throws -> Value
  ) async throws -> Value {
    var task: Task<Void, Never>?
    defer { task?.cancel() }
    return try await engineCall(kind, deadline: deadline) { _, done in
      task = Task {
        do { done(.success(try await work())) } catch { done(.failure(error)) }
      }
    }
  }

  // MARK: Whether the process answers

  /// Ends the process unless it runs code within the limit.
  func probe() {
    guard case .alive = life, ownTermination == nil, let probe = responsiveness.doubt() else { return }
    page.probe { [weak self] in
      guard let self, responsiveness.answered(probe) else { return }
      releaseHeldLoad(isProcessNew: false)
    }
    _ = context.timers.after(.seconds(context.limits.probeTimeout)) { [weak self] in
      guard let self, responsiveness.expired(probe) else { return }
      endProcess(.deadline)
    }
  }

  func endProcess(_ reason: ProcessTerminationReason) {
    guard case .alive = life else { return }
    ownTermination = reason
    page.terminateWebProcess()
    // Should the engine not tell of it.
    _ = context.timers.after(.seconds(1)) { [weak self] in
      guard let self, ownTermination != nil else { return }
      processEnded(reason)
    }
  }
}

extension EvaluationFailure {
  var serviceError: ServiceError {
    switch self {
    case .exception(let exception):
      ServiceError(
        .javaScriptError,
        exception.message.isEmpty ? exception.name : "\(exception.name): \(exception.message)",
        details: [
          "name": .string(exception.name), "message": .string(exception.message),
          "line": JSONValue(exception.line),
          "column": JSONValue(exception.column), "sourceURL": JSONValue(exception.sourceURL),
          "stack": JSONValue(exception.stack),
        ])
    case .notSerializable(let path, let reason):
      ServiceError(
        .serializationError,
        "\(path.isEmpty ? "The result" : "The value at \(path) of the result") is \(reason), "
          + "which this result mode cannot carry.", details: ["path": .string(path)])
    case .tooLarge(let size, let limit):
      .tooLarge("The result", size: size, limit: limit)
    case .documentReplaced: WebViewController.replaced
    case .processTerminated: WebViewController.terminated(.crashed)
    case .engine(let message): ServiceError(.unsupported, message, details: ["capability": "javaScript"])
    }
  }
}
