import Foundation

/// What became of a navigation, in the order in which clients hear of it.
enum NavigationStep: Sendable, Equatable {
  case started(NavigationID)
  case redirected(NavigationID, to: String, status: Int?)
  case committed(NavigationID)
  case domContentLoaded(NavigationID)
  /// The record has the outcome and the error.
  case ended(NavigationID)
  /// Another document stands where the old one stood; follows what caused it.
  case documentReplaced
}

/// The main frame's navigations: which one runs, what became of the last ones, and to which of them an event of
/// the engine belongs.
///
/// The engine's events carry no id and their URLs prove nothing, so belonging is decided by order: an engine page
/// tells nothing of what we superseded or stopped, and every start has one end.
struct NavigationMachine: Sendable {
  /// How a navigation came to be.
  enum Origin: Sendable, Equatable {
    /// A URL or content of ours.
    case load
    case reload
    case history
    /// A link, a script, a form.
    case page
  }
  private enum State: Sendable, Equatable {
    case idle
    /// Asked for, not yet started by the engine.
    case requested(NavigationID)
    case provisional(NavigationID)
    case committed(NavigationID)
  }

  private var state = State.idle
  private(set) var records: NavigationRecords
  /// Where the page said it would go, until that starts.
  private var announcedURL: String?
  private var isAnnouncedByUser = false
  /// Whose document is there, and whether it may still redirect by itself.
  private var document: (id: NavigationID, redirects: Bool)?

  init(limit: Int) { records = NavigationRecords(limit: limit) }

  var running: NavigationID? {
    switch state {
    case .idle: nil
    case .requested(let id), .provisional(let id), .committed(let id): id
    }
  }
  /// Asked for, and the engine has not even started it.
  func isAwaitingStart(_ id: NavigationID) -> Bool { state == .requested(id) }
  subscript(id: NavigationID) -> Navigation? { records[id]?.navigation }

  /// How far it has come; nil for one that is not known.
  func milestone(_ id: NavigationID) -> LoadMilestone? {
    guard let navigation = self[id] else { return nil }
    if navigation.outcome != nil { return .ended }
    if navigation.timings.domContentLoaded != nil { return .domContentLoaded }
    return navigation.timings.commit == nil ? .begun : .committed
  }

  // MARK: Our own commands

  mutating func begin(
    _ origin: Origin, url: String, redirectWindow: Double = ClientRedirects.window, now: Date
  ) -> (id: NavigationID, steps: [NavigationStep]) {
    let steps = endRunning(.replaced, Self.replaced, now: now)
    announcedURL = nil
    let id = records.add(url: url, origin: origin, now: now)
    records.update(id) { $0.redirectWindow = redirectWindow }
    state = .requested(id)
    return (id, steps)
  }

  /// The URL as the engine made it, before anything started.
  mutating func correctURL(_ id: NavigationID, to url: String) {
    guard isAwaitingStart(id) else { return }
    records.update(id) { $0.navigation.url = url }
  }

  /// The engine is given it once more: what it told of it goes on with another start. False: too late.
  mutating func awaitStart(of id: NavigationID) -> Bool {
    guard state == .requested(id) || state == .provisional(id) else { return false }
    state = .requested(id)
    return true
  }

  /// It begins once more, though it started: false: too late.
  /// - Parameter redirects: so many of them led to what begins; the later ones are void.
  @discardableResult
  mutating func restart(_ id: NavigationID, after redirects: Int) -> Bool {
    guard awaitStart(of: id) else { return false }
    records.update(id) {
      let void = $0.navigation.redirects.dropFirst(redirects)
      if let first = void.first { $0.navigation.url = first.url }
      $0.navigation.redirects.removeLast(void.count)
      $0.navigation.response = nil
    }
    return true
  }

  mutating func stop(now: Date) -> [NavigationStep] {
    endRunning(.stopped, LoadError(.cancelled, "The load was stopped."), now: now)
  }

  mutating func timeOut(now: Date) -> [NavigationStep] {
    endRunning(.failed, LoadError(.timedOut, "The load took longer than its timeoutInterval."), now: now)
  }

  mutating func dispose(now: Date) -> [NavigationStep] {
    endRunning(.disposed, LoadError(.disposed, "The controller was disposed."), now: now)
  }

  /// - Parameter spared: a navigation that waits for a new process.
  mutating func processTerminated(sparing spared: NavigationID? = nil, now: Date) -> [NavigationStep] {
    announcedURL = nil
    document = nil
    guard running != spared else { return [] }
    let error = LoadError(.webContentProcessTerminated, "The page's process ended.")
    return endRunning(.processTerminated, error, now: now)
  }

  /// Seconds after the end of a navigation within which its document redirects by itself; nil: it is not there.
  func redirectTime(of id: NavigationID) -> Double? {
    guard document?.id == id, let record = records[id] else { return nil }
    return record.redirectWindow + ClientRedirects.slack
  }

  /// That time is over: what the document begins from now on is a navigation like any other.
  mutating func endRedirects(of id: NavigationID) {
    if document?.id == id { document?.redirects = false }
  }

  // MARK: What the engine tells

  mutating func event(_ event: EnginePageEvent, now: Date) -> [NavigationStep] {
    switch event {
    case .willNavigate(let url, let isRedirect, let isUserInitiated):
      if !isRedirect {
        willNavigate(url)
        isAnnouncedByUser = isUserInitiated
      }
      return []
    case .started(let url): return started(url, now: now)
    case .redirected(let url, let status, let from): return redirected(to: url, status: status, from: from)
    case .responded(let response):
      if case .provisional(let id) = state { records.update(id) { $0.navigation.response = response } }
      return []
    case .committed(let url): return committed(url, now: now)
    case .domContentLoaded:
      guard case .committed(let id) = state, self[id]?.timings.domContentLoaded == nil else { return [] }
      records.update(id) { $0.navigation.timings.domContentLoaded = $0.seconds(until: now) }
      return [.domContentLoaded(id)]
    case .finished: return finished(now: now)
    case .failed(let error, let url):
      // The end of a load that was stopped just before this one was asked for.
      if case .requested(let id) = state, error.code == .cancelled, url != self[id]?.url { return [] }
      return failed(error, now: now)
    case .overtaken:
      return endRunning(.replaced, Self.overtaken, now: now)
    case .restarted(let redirects):
      if case .provisional(let id) = state, let told = self[id]?.redirects.count {
        restart(id, after: max(0, told - redirects))
      }
      return []
    case .responseRefused(let error, _): return refused(error, now: now)
    case .sameDocumentNavigation(let url): return sameDocument(url, now: now)
    case .processTerminated: return processTerminated(now: now)
    case .documentReplaced: return [.documentReplaced]
    case .stateChanged, .historyChanged, .handedOver: return []
    }
  }

  private mutating func willNavigate(_ url: String) {
    // Only the engine knows where a step in the history leads.
    if case .requested(let id) = state { correctURL(id, to: url) } else { announcedURL = url }
  }

  private mutating func started(_ url: String, now: Date) -> [NavigationStep] {
    switch state {
    case .requested(let id):
      state = .provisional(id)
      return announce(id)
    case .provisional, .committed:
      let announced = announcedURL
      let steps = endRunning(.replaced, Self.overtaken, now: now)
      announcedURL = announced
      return steps + startByPage(url: url, now: now)
    case .idle:
      if isInternalBlank(url) { return [] }
      return startByPage(url: url, now: now)
    }
  }

  private mutating func redirected(to url: String, status: Int?, from: String) -> [NavigationStep] {
    guard case .provisional(let id) = state else { return [] }
    records.update(id) {
      $0.navigation.redirects.append(.init(url: from, status: status, kind: .http))
      $0.navigation.url = url
      // A redirect's own response is not the document's.
      $0.navigation.response = nil
    }
    return [.redirected(id, to: url, status: status)]
  }

  private mutating func committed(_ url: String, now: Date) -> [NavigationStep] {
    var steps: [NavigationStep] = []
    switch state {
    case .requested, .provisional: break
    // A commit whose start was not told.
    case .committed, .idle: steps = started(url, now: now)
    }
    guard let id = running else { return steps }
    state = .committed(id)
    document = (id, true)
    records.update(id) {
      $0.navigation.timings.commit = $0.seconds(until: now)
      if !url.isEmpty { $0.navigation.url = url }
    }
    return steps + announce(id) + [.committed(id), .documentReplaced]
  }

  private mutating func finished(now: Date) -> [NavigationStep] {
    switch state {
    case .committed(let id):
      state = .idle
      records.update(id) { $0.navigation.timings.finish = $0.seconds(until: now) }
      return end(id, .finished, nil, now: now)
    case .provisional: return failed(LoadError(.other, "The load ended without a document."), now: now)
    case .requested, .idle: return []
    }
  }

  private mutating func failed(_ error: LoadError, now: Date) -> [NavigationStep] {
    guard let id = running else { return [] }
    let wasCommitted = if case .committed = state { true } else { false }
    state = .idle
    if !wasCommitted, let steps = endWithoutDocument(id, now: now) { return steps }
    let outcome: NavigationOutcome =
      switch error.code {
      case .cancelled: .cancelled
      case .webContentProcessTerminated: .processTerminated
      default: .failed
      }
    let steps = end(id, outcome, error, now: now)
    // What the engine refuses by itself (ports that no page may reach) leaves about:blank behind.
    return !wasCommitted && error.code == .blockedByPolicy ? steps + [.documentReplaced] : steps
  }

  /// A type that cannot be shown is a failure; what was not wanted is a cancellation; what is to be saved would be
  /// a download.
  private mutating func refused(_ error: LoadError, now: Date) -> [NavigationStep] {
    guard let id = running else { return [] }
    state = .idle
    if let steps = endWithoutDocument(id, now: now) { return steps }
    let outcome: NavigationOutcome =
      switch error.code {
      case .cannotShowMIMEType: .failed
      case .unsupported: .download
      default: .cancelled
      }
    return end(id, outcome, error, now: now)
  }

  /// nil: its response has a document.
  private mutating func endWithoutDocument(_ id: NavigationID, now: Date) -> [NavigationStep]? {
    guard let response = self[id]?.response, response.hasNoDocument else { return nil }
    let error = LoadError(.other, "The server answered \(response.status ?? 0): there is no document.")
    return end(id, .noContent, error, now: now)
  }

  private mutating func sameDocument(_ url: String, now: Date) -> [NavigationStep] {
    switch state {
    case .requested(let id):
      // Ours, unless the old document happened to change its own URL just now.
      guard let record = records[id], record.origin == .history || record.navigation.url == url else {
        return []
      }
      state = .idle
      records.update(id) { $0.navigation.url = url }
      return end(id, .sameDocument, nil, now: now)
    case .idle:
      announcedURL = nil
      guard !records.isEmpty, records.last?.navigation.url != url else { return [] }
      return end(records.add(url: url, origin: .page, now: now), .sameDocument, nil, now: now)
    case .provisional(let id):
      // A redirect led to a place in the document that is there.
      guard self[id]?.url == url, self[id]?.redirects.isEmpty == false else { return [] }
      state = .idle
      return end(id, .sameDocument, nil, now: now)
    case .committed: return []
    }
  }

  // MARK: Parts

  private static let replaced = LoadError(.cancelled, "A newer load took its place.")
  private static let overtaken = LoadError(.cancelled, "A navigation of the page's own took its place.")

  private mutating func startByPage(url: String, now: Date) -> [NavigationStep] {
    let source = redirectingDocument
    let id = records.add(url: announcedURL ?? url, origin: .page, now: now)
    announcedURL = nil
    isAnnouncedByUser = false
    if let source {
      records.update(id) {
        $0.navigation.clientRedirectOf = source.id
        $0.redirectWindow = source.window
      }
    }
    state = .provisional(id)
    return announce(id)
  }

  /// Whose document goes elsewhere by itself with what it begins now.
  private var redirectingDocument: (id: NavigationID, window: Double)? {
    guard let document, document.redirects, !isAnnouncedByUser else { return nil }
    return (document.id, records[document.id]?.redirectWindow ?? ClientRedirects.window)
  }

  private mutating func announce(_ id: NavigationID) -> [NavigationStep] {
    guard records[id]?.isAnnounced == false else { return [] }
    records.update(id) { $0.isAnnounced = true }
    return [.started(id)]
  }

  private mutating func endRunning(_ outcome: NavigationOutcome, _ error: LoadError, now: Date)
    -> [NavigationStep]
  {
    guard let id = running else { return [] }
    state = .idle
    return end(id, outcome, error, now: now)
  }

  /// Exactly one end for each navigation; every one but a same-document one is announced before.
  private mutating func end(
    _ id: NavigationID, _ outcome: NavigationOutcome, _ error: LoadError?, now: Date
  ) -> [NavigationStep] {
    let steps = outcome == .sameDocument ? [] : announce(id)
    records.update(id) {
      $0.navigation.outcome = outcome
      $0.navigation.error = error
    }
    return steps + [.ended(id)]
  }

  /// The page that a view starts with is ours: nobody navigated to it.
  private func isInternalBlank(_ url: String) -> Bool {
    records.isEmpty && (url.isEmpty || url == "about:blank")
  }
}
