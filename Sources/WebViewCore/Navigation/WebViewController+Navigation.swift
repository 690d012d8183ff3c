import Foundation

extension WebViewController {
  public enum HistoryStep: Sendable, Equatable {
    /// - fromOrigin: goes to the URL, past kept content and caches.
    case reload(fromOrigin: Bool)
    case back, forward
  }

  /// With `wait: .none` it answers at once; `started` (used by channels) is called on the actor with the
  /// running navigation before any of its events is published.
  /// Throws `timeout` with `details.navigation` at the deadline.
  public func load(
    _ content: LoadContent, wait: LoadWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult {
    beginUse()
    defer { endUse() }
    try requireLife()
    let checked = try await check(content, deadline)
    try requireLife()
    return try await begin(.load, content: checked, wait: wait, deadline: deadline, started: started)
  }

  public func navigate(
    _ step: HistoryStep, wait: LoadWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult {
    beginUse()
    defer { endUse() }
    try requireLife()
    let isPossible =
      switch step {
      case .reload: !navigations.records.isEmpty
      case .back: !navigations.records.isEmpty && page.canGoBack
      case .forward: !navigations.records.isEmpty && page.canGoForward
      }
    guard isPossible else { return LoadResult(accepted: false, navigation: nil) }
    if case .reload(let fromOrigin) = step {
      return try await begin(
        .reload(fromOrigin: fromOrigin), content: reloadContent(fromOrigin: fromOrigin), wait: wait,
        deadline: deadline, started: started)
    }
    return try await begin(.history(step), content: nil, wait: wait, deadline: deadline, started: started)
  }

  /// The running navigation's result, the last one's when none runs, the first one's when none ever ran.
  /// - Parameters:
  ///   - navigation: this one's. Throws `notFound` for an unknown one.
  ///   - after: the first one's that started after this one.
  public func waitForLoad(
    _ wait: LoadWait = .load, navigation: NavigationID? = nil, after: NavigationID? = nil, deadline: Deadline
  ) async throws -> LoadResult {
    beginUse()
    defer { endUse() }
    try requireLife()
    if let navigation {
      guard navigations[navigation] != nil else { throw Self.unknown(navigation) }
      return try await result(of: .navigation(navigation), wait: wait, deadline: deadline)
    }
    if let after {
      guard navigations.records.wasIssued(after) else { throw Self.unknown(after) }
      let next = navigations.records.first(after: after)
      return try await result(
        of: next.map { .navigation($0) } ?? .next(after: after), wait: wait, deadline: deadline)
    }
    let current = navigations.running ?? navigations.records.lastLoad
    return try await result(
      of: current.map { .navigation($0) } ?? .next(after: nil), wait: wait, deadline: deadline)
  }

  /// - Parameter id: only if this one still runs; nil: whichever runs.
  public func stopLoading(_ id: NavigationID? = nil) throws(ServiceError) {
    try requireLife()
    if let id {
      guard navigations[id] != nil else { throw Self.unknown(id) }
      guard navigations.running == id else { return }
    }
    let isIssued = heldLoad?.isIssued ?? true
    heldLoad = nil
    perform(navigations.stop(now: Date()))
    if isIssued { page.stopLoading() }
    flushStateChange()
  }

  private static func unknown(_ id: NavigationID) -> ServiceError {
    ServiceError(
      .notFound, "There is no navigation \(id), or it is forgotten.", details: ["kind": "navigation"])
  }

  // MARK: Beginning

  private enum Command: Equatable {
    case load
    case reload(fromOrigin: Bool)
    case history(HistoryStep)
    var origin: NavigationMachine.Origin {
      switch self {
      case .load: .load
      case .reload: .reload
      case .history: .history
      }
    }
  }

  /// What a reload shows: kept content of ours, the URL when there is no process to reload it, else the
  /// document as the engine has it.
  private func reloadContent(fromOrigin: Bool) -> LoadContent? {
    if let documentContent {
      // A file's kept content is where it lies, and what it may read.
      if case .file = documentContent { return documentContent }
      return fromOrigin ? .url(documentContent.expectedURL) : documentContent
    }
    guard case .processEnded = life, let url = page.url, !url.hasPrefix("file:") else { return nil }
    return .url(url)
  }

  private func begin(
    _ command: Command, content: LoadContent?, wait: LoadWait, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)?
  ) async throws -> LoadResult {
    // Others may have run since the caller looked.
    try requireLife()
    flushStateChange()
    let url = content?.expectedURL ?? page.url ?? "about:blank"
    // Ended by the new one even where the engine still holds it.
    heldLoad = nil
    let (id, steps) = navigations.begin(command.origin, url: url, now: Date())
    loadingContent = content.flatMap { $0.isURL ? nil : (id, $0) }
    perform(steps)
    loadWaiters.began(id)
    guard let navigation = navigations[id] else { throw Self.unknown(id) }
    started?(navigation)
    let begin: @PageActor () -> Void = { [weak self] in self?.issue(command, content, id) }
    if responsiveness.isDoubted {
      heldLoad = HeldLoad(id: id, isIssued: false, begin: begin)
    } else {
      begin()
    }
    return try await result(of: .navigation(id), wait: wait, deadline: deadline)
  }

  private func issue(_ command: Command, _ content: LoadContent?, _ id: NavigationID) {
    revive()
    switch (command, content) {
    case (_, let content?): page.load(content)
    case (.history, nil):
      let isAccepted = command == .history(.back) ? page.goBack() : page.goForward()
      guard isAccepted else {
        return perform(
          navigations.event(.failed(LoadError(.other, "The history entry is gone."), url: ""), now: Date()))
      }
    case (.load, nil): page.reload(fromOrigin: false)
    case (.reload(let fromOrigin), nil): page.reload(fromOrigin: fromOrigin)
    }
    if case .history = command, let url = page.url { navigations.correctURL(id, to: url) }
    watchStart(id) { [weak self] in self?.issue(command, content, id) }
  }

  /// The engine never starts a load onto a process that hangs: when nothing starts, the process is probed, and
  /// ended if it does not answer, and the load is given again. A process without a document is a young one, and
  /// may take its time.
  private func watchStart(_ id: NavigationID, again: @escaping @PageActor () -> Void) {
    endStartWatch()
    guard hasDocument else { return }
    startWatch = context.timers.after(.seconds(context.limits.probeTimeout / 2)) { [weak self] in
      guard let self, !isDisposed, navigations.isAwaitingStart(id) else { return }
      heldLoad = HeldLoad(id: id, isIssued: true, begin: again)
      probe()
    }
  }

  private func endStartWatch() {
    if let startWatch { context.timers.cancel(startWatch) }
    startWatch = nil
  }

  // MARK: Waiting

  private func result(
    of target: LoadWaiters.Target, wait: LoadWait, deadline: Deadline
  ) async throws -> LoadResult {
    if case .navigation(let id) = target, let milestone = navigations.milestone(id), milestone.satisfies(wait)
    {
      flushStateChange()
      return LoadResult(accepted: true, navigation: navigations[id])
    }
    guard !isDisposed else { return LoadResult(accepted: false, navigation: nil) }
    let id = loadWaiters.add(wait, for: target)
    let navigation: NavigationID? = try await loadWaits.wait(
      id, deadline: deadline,
      expired: { [self] in expired(id, deadline) },
      withdrawn: { [self] in forget(id) },
      start: { resume in
        loadResumptions[id] = resume
        // It may have been decided while this caller was on its way here.
        if let decided = decidedLoads.removeValue(forKey: id) { resumeLoadWaiter(id, decided) }
      })
    return LoadResult(accepted: navigation != nil, navigation: navigation.flatMap { navigations[$0] })
  }

  private func expired(_ id: LoadWaiters.ID, _ deadline: Deadline) -> ServiceError {
    let navigation = loadWaiters.navigation(of: id).flatMap { navigations[$0] }
    forget(id)
    flushStateChange()
    return ServiceError(
      .timeout, "The load did not come that far within \(deadline.text); it goes on.",
      details: ["navigation": navigation.map { .object($0.json) } ?? .null])
  }

  private func forget(_ id: LoadWaiters.ID) {
    _ = loadWaiters.withdraw(id)
    loadResumptions[id] = nil
    decidedLoads[id] = nil
  }

  /// nil: no navigation ever began.
  func resumeLoadWaiter(_ id: LoadWaiters.ID, _ navigation: NavigationID?) {
    if let resume = loadResumptions.removeValue(forKey: id) {
      resume(.success(navigation))
    } else {
      decidedLoads[id] = .some(navigation)
    }
  }

  // MARK: Steps

  /// Tells what happened, in order, and resumes whoever waited for it after it was told.
  func perform(_ steps: [NavigationStep]) {
    for step in steps {
      switch step {
      case .started(let id):
        loadWaiters.began(id)
        endStartWatch()
        if heldLoad?.id == id {
          // It started after all: the process answers.
          heldLoad = nil
          responsiveness.reset()
        }
        publish(.loadStart, navigation: id)
      case .redirected(let id, let url, let status):
        publish(.redirect, navigation: id, details: ["url": .string(url), "status": JSONValue(status)])
      case .committed(let id):
        hasDocument = true
        documentNavigation = id
        documentContent = loadingContent.flatMap { $0.id == id ? $0.content : nil }
        publish(.commit, navigation: id)
        reached(.committed, id)
      case .domContentLoaded(let id):
        publish(.domContentLoaded, navigation: id)
        reached(.domContentLoaded, id)
      case .ended(let id): ended(id)
      case .documentReplaced: documentReplaced()
      }
    }
  }

  private func ended(_ id: NavigationID) {
    if loadingContent?.id == id { loadingContent = nil }
    if heldLoad?.id == id { heldLoad = nil }
    loadWaiters.began(id)
    let navigation = navigations[id]
    switch navigation?.outcome {
    case .finished?: publish(.loadFinish, navigation: id)
    case .sameDocument?: noteStateChange()
    default: publish(.loadError, navigation: id, error: navigation?.error)
    }
    reached(.ended, id)
  }

  private func reached(_ milestone: LoadMilestone, _ navigation: NavigationID) {
    let done = loadWaiters.reached(milestone, of: navigation)
    guard !done.isEmpty else { return }
    flushStateChange()
    for id in done { resumeLoadWaiter(id, navigation) }
  }

  private func documentReplaced() {
    cancelQuestions(reason: "Another document took the place of the one that asked.")
    for id in pending.documentReplaced() {
      callWaits.fail(id, Self.replaced)
    }
  }

  nonisolated static let replaced = ServiceError(
    .cancelled, "Another document took the place of the one that the script ran in.",
    details: ["reason": "documentReplaced"])

  /// - Parameter isProcessNew: false: the process answered; what it was given already stays given.
  func releaseHeldLoad(isProcessNew: Bool) {
    guard let held = heldLoad else { return }
    heldLoad = nil
    if isProcessNew || !held.isIssued { held.begin() }
  }
}
