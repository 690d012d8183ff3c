import Foundation

extension WebViewController {
  public enum HistoryStep: Sendable, Equatable {
    /// - fromOrigin: goes to the URL, past kept content and caches.
    case reload(fromOrigin: Bool)
    case back, forward
    case item(HistoryItemID)
  }

  /// With `PageWait.none` it answers at once; `started` (used by channels) is called on the actor with the
  /// running navigation before any of its events is published.
  /// Throws `timeout` with `details.navigation` at the deadline.
  public func load(
    _ content: LoadContent, wait: PageWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult {
    beginUse()
    defer { endUse() }
    try requireLife()
    let checked = try await check(content, deadline)
    try requireLife()
    return try await begin(
      .load, content: checked, timeLimit: content.timeLimit, wait: wait, deadline: deadline, started: started)
  }

  public func navigate(
    _ step: HistoryStep, wait: PageWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult {
    beginUse()
    defer { endUse() }
    try requireLife()
    if case .reload(let fromOrigin) = step {
      if !fromOrigin, let entry = lostEntry {
        return try await begin(
          .history(.item(entry)), content: nil, wait: wait, deadline: deadline, started: started)
      }
      return try await begin(
        .reload(fromOrigin: fromOrigin), content: reloadContent(fromOrigin: fromOrigin), wait: wait,
        deadline: deadline, started: started)
    }
    return try await begin(.history(step), content: nil, wait: wait, deadline: deadline, started: started)
  }

  private func isPossible(_ command: Command) -> Bool {
    switch command {
    case .load, .history(.item): true
    case .reload, .history(.reload): !navigations.records.isEmpty
    case .history(.back): !navigations.records.isEmpty && page.canGoBack
    case .history(.forward): !navigations.records.isEmpty && page.canGoForward
    }
  }

  /// - Parameter id: only if this one still runs; nil: whichever runs.
  public func stopLoading(_ id: NavigationID? = nil) throws(ServiceError) {
    try requireLife()
    if let id {
      guard navigations[id] != nil else { throw Self.unknown(id) }
      guard navigations.running == id else { return }
    }
    endLoading { $0.stop(now: Date()) }
  }

  /// Ends what runs, for the engine too.
  func endLoading(_ end: (inout NavigationMachine) -> [NavigationStep]) {
    let isIssued = heldLoad?.isIssued ?? true
    heldLoad = nil
    perform(end(&navigations))
    if isIssued { page.stopLoading() }
    flushStateChange()
  }

  static func unknown(_ id: NavigationID) -> ServiceError {
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

  /// What a reload shows: kept content of ours, the URL where the process has no document that it could reload,
  /// else the document as the engine has it.
  private func reloadContent(fromOrigin: Bool) -> LoadContent? {
    if let content = documentContent ?? (hasDocument ? nil : loadingContent?.content) {
      // A file's kept content is where it lies, and what it may read.
      if case .file = content { return content }
      return fromOrigin ? .url(content.expectedURL) : content
    }
    guard !hasDocument, let url = page.url, !url.hasPrefix("file:") else { return nil }
    return fromOrigin && url.hasPrefix("http")
      ? .request(LoadRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)) : .url(url)
  }

  /// Of a document that went with its process. Going there sends what it was made of once more, and keeps the
  /// entries after it, which a load of its URL would not.
  private var lostEntry: HistoryItemID? {
    guard !hasDocument, documentContent == nil, loadingContent == nil, let url = page.url,
      !url.hasPrefix("file:"), let entry = page.backForwardList.currentItem, entry.url == url
    else { return nil }
    return entry.id
  }

  private func begin(
    _ command: Command, content: LoadContent?, timeLimit: Double? = nil, wait: PageWait, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)?
  ) async throws -> LoadResult {
    // Others may have run since the caller looked.
    try requireLife()
    guard isPossible(command) else { return LoadResult(accepted: false, navigation: nil) }
    flushStateChange()
    let url = content?.expectedURL ?? page.url ?? "about:blank"
    let isReplacing = navigations.running != nil && heldLoad?.isIssued != false
    // Ended by the new one even where the engine still holds it.
    heldLoad = nil
    let (id, steps) = navigations.begin(
      command.origin, url: url, redirectWindow: wait.redirectWindow, now: Date())
    loadingContent = content.flatMap { $0.isURL ? nil : (id, $0.kept) }
    perform(steps)
    limit(id, to: timeLimit)
    loadWaiters.began(id)
    guard let navigation = navigations[id] else { throw Self.unknown(id) }
    started?(navigation)
    let begin: @PageActor () -> Void = { [weak self] in self?.issue(command, content, id) }
    if responsiveness.isDoubted || ownTermination != nil {
      heldLoad = HeldLoad(id: id, isIssued: false, begin: begin)
      // The one before is told to be replaced: nothing of it is to be sent any more.
      if isReplacing { page.stopLoading() }
    } else {
      begin()
    }
    return try await result(
      of: .navigation(id), event: wait.eventOfLoad, wait: wait, deadline: deadline)
  }

  private func issue(_ command: Command, _ content: LoadContent?, _ id: NavigationID) {
    revive()
    let located = located(command)
    let again: @PageActor () -> Void = { [weak self] in self?.issue(located, content, id) }
    repeatable = nil
    if content?.isSentByOtherMeans != true { willBegin(id, again: again) }
    switch (command, content) {
    case (_, let content?): page.load(content)
    case (.history(let step), nil):
      let isAccepted =
        switch step {
        case .item(let item): page.go(to: item)
        case .forward: page.goForward()
        default: page.goBack()
        }
      guard isAccepted else {
        return perform(
          navigations.event(.failed(LoadError(.other, "The history entry is gone."), url: ""), now: Date()))
      }
    case (.load, nil): page.reload(fromOrigin: false)
    case (.reload(let fromOrigin), nil): page.reload(fromOrigin: fromOrigin)
    }
    if case .history = command, let url = page.url { navigations.correctURL(id, to: url) }
    watchStart(id, again: again)
  }

  /// Where it leads, wherever the page goes meanwhile.
  private func located(_ command: Command) -> Command {
    let item: HistoryItem? =
      switch command {
      case .history(.back): page.backForwardList.backList.last
      case .history(.forward): page.backForwardList.forwardList.first
      default: nil
      }
    return item.map { .history(.item($0.id)) } ?? command
  }

  /// To a new process, in the place of what the one before did not take.
  func issueAgain(_ content: LoadContent, _ id: NavigationID) {
    if navigations.awaitStart(of: id) { issue(.load, content, id) }
  }

  /// The engine never starts a load onto a process that hangs: when nothing starts, the process is probed, and
  /// ended if it does not answer, and the load is given again. A process without a document is a young one, and
  /// may take its time.
  /// - Parameters:
  ///   - answers: how often the process has answered meanwhile.
  ///   - isYoung: false: the process is known to have run.
  func watchStart(
    _ id: NavigationID, answers: Int = 0, isYoung: Bool = true, again: @escaping @PageActor () -> Void
  ) {
    endStartWatch()
    startWatch = context.timers.after(.seconds(context.limits.probeTimeout / 2)) { [weak self] in
      guard let self, !isDisposed, navigations.isAwaitingStart(id) else { return }
      let held = HeldLoad(id: id, isIssued: true, answers: answers, begin: again)
      if isYoung, !hasDocument {
        // Nobody answers where there is no process yet.
        watchStart(id, answers: answers, again: again)
        return page.probe { [weak self] in self?.notStarted(held) }
      }
      heldLoad = held
      probe()
    }
  }

  /// The process answers. Where it does so again and again, the engine has lost the load: a page can make it. The
  /// engine has it once more, then another process, before the load is given up.
  private func notStarted(_ load: HeldLoad) {
    guard !isDisposed, navigations.isAwaitingStart(load.id) else { return }
    if load.answers == Self.patience { page.loadAgain() }
    guard load.answers == 2 * Self.patience + 1 else {
      return watchStart(load.id, answers: load.answers + 1, again: load.begin)
    }
    if endStubbornPage() { return }
    let error = LoadError(.other, "The engine did not begin the load.")
    perform(navigations.event(.failed(error, url: page.url ?? ""), now: Date()))
    page.stopLoading()
  }

  private static let patience = 2

  private func endStartWatch() {
    if let startWatch { context.timers.cancel(startWatch) }
    startWatch = nil
  }

  // MARK: Waiting

  /// Returns when the navigation came that far, or ended; nil when there never was one.
  func reach(
    _ event: LoadWait, of target: LoadWaiters.Target, deadline: Deadline
  ) async throws -> NavigationID? {
    if case .navigation(let id) = target, let milestone = navigations.milestone(id),
      milestone.satisfies(event)
    {
      flushStateChange()
      return id
    }
    guard !isDisposed else { return nil }
    let id = loadWaiters.add(event, for: target)
    return try await loadWaits.wait(
      id, deadline: deadline,
      expired: { [self] in
        let navigation = loadWaiters.navigation(of: id)
        forget(id)
        flushStateChange()
        return unmet("event", navigation, deadline)
      },
      withdrawn: { [self] in forget(id) },
      start: { resume in
        loadResumptions[id] = resume
        // It may have been decided while this caller was on its way here.
        if let decided = decidedLoads.removeValue(forKey: id) { resumeLoadWaiter(id, decided) }
      })
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
        documentNavigation = id
        documentResponse = navigations[id]?.response
        documentContent = loadingContent.flatMap { $0.id == id ? $0.content : nil }
        if heldLoad?.id == id { heldLoad = nil }
        endStartWatch()
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
    if repeatable?.id == id { repeatable = nil }
    endStartWatch()
    endTimeLimit(of: id)
    endRedirectsLater(of: id)
    loadWaiters.began(id)
    let navigation = navigations[id]
    switch navigation?.outcome {
    case .finished?: publish(.loadFinish, navigation: id)
    case .sameDocument?: noteStateChange()
    default: publish(.loadError, navigation: id, error: navigation?.error)
    }
    // A step that led nowhere leaves the old entry current.
    noteHistoryChange()
    reached(.ended, id)
  }

  private func reached(_ milestone: LoadMilestone, _ navigation: NavigationID) {
    let done = loadWaiters.reached(milestone, of: navigation)
    guard !done.isEmpty else { return }
    flushStateChange()
    for id in done { resumeLoadWaiter(id, navigation) }
  }

  private func documentReplaced() {
    hasDocument = true
    cancelQuestions(reason: "Another document took the place of the one that asked.")
    for id in pending.documentReplaced() {
      callWaits.fail(id, Self.replaced)
    }
  }

  nonisolated static let replaced = ServiceError(
    .cancelled, "Another document took the place of the one that the script ran in.",
    details: ["reason": "documentReplaced"])

  /// - Parameter isProcessNew: false: the process answered.
  func releaseHeldLoad(isProcessNew: Bool) {
    guard let held = heldLoad else { return }
    heldLoad = nil
    if isProcessNew || !held.isIssued { held.begin() } else { notStarted(held) }
  }
}
