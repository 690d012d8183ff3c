import Foundation

extension WebViewController {
  /// The running navigation's result, the last one's when none runs, the first one's when none ever ran.
  /// - Parameters:
  ///   - navigation: this one's. Throws `notFound` for an unknown one.
  ///   - after: the first one's that started after this one.
  public func waitForLoad(
    _ wait: PageWait = .load, navigation: NavigationID? = nil, after: NavigationID? = nil, deadline: Deadline
  ) async throws -> LoadResult {
    beginUse()
    defer { endUse() }
    try requireLife()
    if let navigation {
      guard navigations[navigation] != nil else { throw Self.unknown(navigation) }
      return try await result(of: .navigation(navigation), event: wait.event, wait: wait, deadline: deadline)
    }
    if let after {
      guard navigations.records.wasIssued(after) else { throw Self.unknown(after) }
      let next = navigations.records.first(after: after)
      return try await result(
        of: next.map { .navigation($0) } ?? .next(after: after), event: wait.event, wait: wait,
        deadline: deadline)
    }
    let current = navigations.running ?? navigations.records.lastLoad
    return try await result(
      of: current.map { .navigation($0) } ?? .next(after: nil), event: wait.event, wait: wait,
      deadline: deadline)
  }

  /// Throws `notFound` for one that is not known, or forgotten.
  public func navigation(_ id: NavigationID) throws(ServiceError) -> Navigation {
    try requireLife()
    guard let navigation = navigations[id] else { throw Self.unknown(id) }
    return navigation
  }

  /// What came of a navigation when all that `wait` names came true, or of the last one that its page redirected
  /// to by itself. A navigation that ends before its event came true is answered at once.
  func result(
    of target: LoadWaiters.Target, event: LoadWait, wait: PageWait, deadline: Deadline
  ) async throws -> LoadResult {
    var target = target
    var hops: [Navigation.Redirect] = []
    var left = wait.followedRedirects
    while true {
      guard let id = try await reach(event, of: target, deadline: deadline) else {
        return LoadResult(accepted: false, navigation: nil)
      }
      guard var known = navigations[id] else { return LoadResult(accepted: true, navigation: nil) }
      let redirect: NavigationID?
      do {
        redirect = try await meet(wait, of: known, event: event, follows: left > 0, deadline: deadline)
      } catch let error as ServiceError where error.code == .disposed {
        known = navigations[id] ?? known
        known.outcome = .disposed
        known.error = LoadError(.disposed, "The controller was disposed.")
        return LoadResult(accepted: true, navigation: known, after: hops)
      } catch let error as ServiceError where error.code == .webContentProcessTerminated {
        // Where the page was on its way, that navigation's end is the answer.
        redirect = left > 0 ? navigations.records.redirect(of: id) : nil
        guard redirect != nil else { throw error }
      }
      // It may be forgotten meanwhile.
      known = navigations[id] ?? known
      guard let redirect else { return LoadResult(accepted: true, navigation: known, after: hops) }
      left -= 1
      hops += known.redirects + [.init(url: known.url, status: nil, kind: .client)]
      target = .navigation(redirect)
    }
  }

  /// - Returns: where the page went by itself meanwhile; nil when everything came true, or never will.
  private func meet(
    _ wait: PageWait, of navigation: Navigation, event: LoadWait, follows: Bool, deadline: Deadline
  ) async throws -> NavigationID? {
    let redirect = { [self] in follows ? navigations.records.redirect(of: navigation.id) : nil }
    if navigation.came(to: event) {
      for condition in wait.conditions {
        if let next = redirect() { return next }
        try await naming(condition.name, of: navigation.id, deadline) {
          try await meet(condition, deadline: deadline) { redirect() != nil }
        }
      }
    }
    guard follows else { return nil }
    if let next = redirect() { return next }
    return try await naming(Self.following, of: navigation.id, deadline) {
      try await settle(navigation.id, within: wait.redirectWindow, deadline: deadline) { redirect() != nil }
      return redirect()
    }
  }

  private static let following = "followClientRedirects"

  // MARK: Conditions

  /// Between two looks at the page.
  static let pace = Duration.milliseconds(50)

  /// - Parameter isOver: nobody is interested any more.
  private func meet(
    _ condition: PageCondition, deadline: Deadline, isOver: @PageActor () -> Bool
  ) async throws {
    let start = context.timers.now()
    func passed() -> Duration { context.timers.now() - start }
    switch condition {
    case .element(let state, let selector):
      try await poll(deadline, isOver) { [self] in
        try await hasElement(state, selector, deadline: deadline)
      }
    case .function(let body):
      var call = JavaScriptCall(.functionBody(body))
      call.resultMode = .truth
      let asked = call
      try await poll(deadline, isOver) { [self] in
        try await evaluate(asked, deadline: deadline) == .json("true")
      }
    case .networkIdle(let seconds):
      // Counted from now: what the page is about to ask for shows only now.
      try await poll(deadline, isOver) { [self] in
        min(passed(), page.networkQuiet ?? .zero) >= .seconds(seconds)
      }
    case .delay(let seconds):
      while passed() < .seconds(seconds), !isOver() {
        try await ofAnyDocument { [self] in
          try await pause(.seconds(seconds) - passed(), .document, deadline: deadline)
        }
      }
    }
  }

  private func hasElement(
    _ state: ElementState, _ selector: String, deadline: Deadline
  ) async throws -> Bool {
    try requireProcess()
    let answer: ElementAnswer = try await engineCall(.document, deadline: deadline) { page, done in
      page.find(state, selector) { done($0.mapError { $0 }) }
    }
    switch answer {
    case .yes: return true
    case .no: return false
    case .notASelector:
      let pointer = "/wait/\(state.rawValue)"
      throw ServiceError(
        .invalidArgument,
        "`\(pointer)` must be a CSS selector, which the page's engine does not take it for.",
        details: ["pointer": .string(pointer)])
    }
  }

  /// Looks until it is so; what another document took the place of is looked for in that one.
  private func poll(
    _ deadline: Deadline, _ isOver: @PageActor () -> Bool, _ look: @PageActor () async throws -> Bool
  ) async throws {
    while !isOver() {
      if try await ofAnyDocument(look) == true { return }
      try await pause(Self.pace, .page, deadline: deadline)
    }
  }

  /// nil: another document took the place of the one that was asked.
  func ofAnyDocument<Value: Sendable>(
    _ body: @PageActor () async throws -> Value
  ) async throws -> Value? {
    do {
      return try await body()
    } catch let error as ServiceError where error.code == .cancelled {
      return nil
    }
  }

  /// A call like any other, but that a timer answers it: it ends as they do.
  func pause(
    _ duration: Duration, _ kind: PendingEvaluations.Kind, deadline: Deadline
  ) async throws {
    try requireProcess()
    var timer: Timers.ID?
    defer { if let timer { context.timers.cancel(timer) } }
    let _: Bool = try await engineCall(kind, deadline: deadline) { _, done in
      timer = context.timers.after(duration) { done(.success(true)) }
    }
  }

  /// At the deadline it says what did not come true, and what became of the navigation.
  private func naming<Value: Sendable>(
    _ condition: String, of navigation: NavigationID, _ deadline: Deadline,
    _ body: @PageActor () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as ServiceError where error.code == .timeout {
      throw unmet(condition, navigation, deadline)
    } catch var error as ServiceError where error.code == .javaScriptError {
      // The caller's own, among what else may be JavaScript in the same request.
      error.details["pointer"] = .string("/wait/\(condition)")
      throw error
    }
  }

  func unmet(_ condition: String, _ navigation: NavigationID?, _ deadline: Deadline) -> ServiceError {
    let navigation = navigation.flatMap { navigations[$0] }
    let text =
      switch condition {
      case "event": "The load did not come that far within \(deadline.text); it goes on."
      case Self.following: "The page did not come to rest within \(deadline.text)."
      default: "`/wait/\(condition)` did not come true within \(deadline.text)."
      }
    return ServiceError(
      .timeout, text,
      details: [
        "navigation": navigation.map { .object($0.json) } ?? .null, "condition": .string(condition),
      ])
  }
}
