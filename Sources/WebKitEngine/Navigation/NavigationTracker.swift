import WebViewCore

/// Turns WebKit's raw signals about the main frame into the events of the port: each started navigation gets
/// exactly one end, a superseded one is silent, and an end that only looks like success is a failure.
///
/// Pure: one mutating function per signal, each giving the events to tell.
struct NavigationTracker {
  enum Phase: Equatable {
    case idle
    /// WebKit said "started" without an address that can be trusted: a navigation of the page's own.
    case starting
    case provisional(url: String, isOurs: Bool)
    case committed(url: String)
    /// WebKit gave it up; what comes next tells for what: something that loads in its place, or nothing.
    case interrupted(Interruption)
    /// Something started since.
    case resuming(Interruption)
    /// The end was told; WebKit's own "finished" is still to come.
    case over
    /// Superseded by a load of ours: nothing more is told of it.
    case superseded
  }

  typealias Events = [EnginePageEvent]

  var asked: AskedLoad?
  var phase = Phase.idle
  /// The load that was asked for last.
  var lastAsked: AskedLoad?
  /// Ours, when what was told last is that the page took its place.
  var overtakenLoad: AskedLoad?
  /// Of a load that was stopped before WebKit asked the policy for it.
  var stoppedURL: String?
  private(set) var lastActionURL: String?
  /// It leads to an entry of the history, whose document is not there.
  private(set) var isLastActionStep = false
  private(set) var actions = NavigationActions()
  private var lastSentURL: String?
  private var redirectStatus: Int?
  private(set) var redirects = 0
  /// Of what runs: WebKit has a resource for it, but no policy was asked for the resource's response.
  private(set) var isUnanswered = false
  private var isGiven = false
  /// The document that is there is content of ours.
  private(set) var isDocumentGiven = false
  /// The process took the document with it.
  private var isDocumentGone = false
  var document = DocumentAddress()

  /// Of the document that is there; nil before the first one.
  private(set) var documentURL: String? {
    get { document.url }
    set { document.set(newValue) }
  }

  /// What a client sees: our own load's address as soon as it is asked for, else the document's.
  var url: String? {
    if let asked { return asked.url ?? documentURL }
    switch phase {
    case .provisional(let url, true): return url
    case .interrupted(let interruption), .resuming(let interruption):
      return interruption.isOurs && !interruption.isCommitted ? interruption.url : documentURL
    default: return documentURL
    }
  }

  var isLoading: Bool {
    if asked != nil { return true }
    switch phase {
    case .starting, .provisional, .committed, .interrupted, .resuming: return true
    case .idle, .over, .superseded: return false
    }
  }

  /// A load runs that has no document yet.
  var isProvisional: Bool {
    switch phase {
    case .starting, .provisional, .interrupted, .resuming: true
    case .idle, .committed, .over, .superseded: false
    }
  }

  /// Asked for, and WebKit did not start it.
  var isAwaitingStart: Bool { asked != nil }

  /// WebKit is at it, and has no document for it.
  var isUnderWay: Bool { asked.map(\.wasDecided) ?? isProvisional }

  // MARK: Signals

  /// The policy of a navigation was asked for; whether of the main frame WebKit does not say.
  /// - Parameter viewURL: the view's own address, which for a load of ours is that load's.
  /// - Returns: whether it may go on. A load that was stopped must not: WebKit would not begin it either, and go
  ///   on to show its address.
  @discardableResult
  mutating func decided(
    url: String, viewURL: String?, isRedirect: Bool, isStep: Bool = false, isUserInitiated: Bool = false
  ) -> Bool {
    if !isRedirect {
      noteFollower()
      lastActionURL = url
      isLastActionStep = isStep
      actions.note(url, isUserInitiated: isUserInitiated)
    }
    let isInTheWay = asked == nil ? url == viewURL : url != asked?.url
    let isStopped = !isRedirect && url == stoppedURL && isInTheWay
    if isStopped {
      stoppedURL = nil
    } else if let asked {
      // While an older load commits, the view shows that one's address, not that of the load asked for.
      // So it does while a document is loaded anew by itself.
      let isAsked =
        url == asked.url || url == asked.url?.withoutCredentials || url == viewURL && url != documentURL
        || asked.kind == .reload && documentURL?.withoutFragment == url.withoutFragment
      if isAsked, !asked.isPrepared { self.asked?.wasDecided = true }
    } else if phase == .superseded {
      phase = .idle
    }
    return !isStopped
  }

  mutating func started(viewURL: String?) -> Events {
    let redirectsBefore = redirects
    redirects = 0
    redirectStatus = nil
    lastSentURL = nil
    isUnanswered = false
    isGiven = asked?.kind == .content && asked?.wasDecided == true
    guard let asked else {
      if phase == .superseded { return [] }
      if case .interrupted(let interruption) = phase {
        phase = .resuming(interruption)
        return []
      }
      let ended = overtaken(after: redirectsBefore)
      phase = .starting
      return ended
    }
    guard asked.wasDecided else {
      // A load that was superseded while its start was on the way.
      phase = .superseded
      return []
    }
    self.asked = nil
    if asked.isTold, let url = asked.url {
      phase = .provisional(url: url, isOurs: true)
      lastSentURL = url
      return []
    }
    // The view may still show the address of the document before.
    return begin(asked.url ?? viewURL ?? "", isOurs: true)
  }

  /// - Parameter isRepeatable: it is requested as the load of ours that was given last.
  mutating func mainResourceStarted(url: String, isRepeatable: Bool = true) -> Events {
    lastSentURL = url
    isUnanswered = true
    if phase == .starting { return begin(url, isOurs: false) }
    if case .resuming = phase { return resume(url, isRepeatable: isRepeatable) }
    return takePlaceOfOurs(url)
  }

  /// Our load was let go and did not start, though the page's process has been heard of since.
  /// - Parameter href: the document's own address; nil: it did not say.
  mutating func lost(href: String? = nil) -> Events {
    guard let asked else { return [] }
    if asked.kind == .history, isWithinDocument(asked), let there = href ?? documentURL,
      there.withoutFragment == asked.url?.withoutFragment
    {
      return reachedWithinDocument(asked, viewURL: there)
    }
    self.asked = nil
    phase = .idle
    overtakenLoad = asked
    return [.overtaken(url: asked.url ?? documentURL ?? "")]
  }

  /// A fragment that the page went to meanwhile makes WebKit forget a load of ours without a word.
  var mayBeLost: Bool { asked?.didDocumentMove == true }

  /// - Parameter redirectStatus: of the response that led here.
  mutating func sentRequest(url: String, redirectStatus: Int?) {
    guard let redirectStatus else { return }
    self.redirectStatus = redirectStatus
    lastSentURL = url
  }

  mutating func redirected(viewURL: String?) -> Events {
    var events = flushStart()
    guard case .provisional(let from, let isOurs) = phase else { return events }
    let url = lastSentURL ?? viewURL ?? from
    redirects += 1
    phase = .provisional(url: url, isOurs: isOurs)
    events += [
      .willNavigate(url: url, isRedirect: true), .redirected(url: url, status: redirectStatus, from: from),
    ]
    return events
  }

  /// - Parameter refusal: why it is not shown.
  mutating func responded(_ response: MainResourceResponse, refusal: LoadError?) -> Events {
    var events = flushStart()
    guard case .provisional(let url, _) = phase else { return events }
    isUnanswered = false
    events.append(.responded(response))
    if let refusal {
      phase = .over
      events.append(.responseRefused(refusal, url: url))
    }
    return events
  }

  mutating func committed(viewURL: String?) -> Events {
    let committedURL = viewURL ?? ""
    isLastActionStep = false
    if phase == .starting {
      let events = begin(lastActionURL ?? committedURL, isOurs: false)
      return events + committed(viewURL: viewURL)
    }
    if case .resuming = phase {
      let events = flushStart()
      return events + committed(viewURL: viewURL)
    }
    switch phase {
    case .provisional(let url, _):
      document.committed(committedURL)
      if committedURL == "about:blank", !Self.isBlank(url) {
        // WebKit shows about:blank in place of what it refuses to ask for: a blocked port, a blocked scheme.
        phase = .over
        return [.failed(.refusedAddress, url: url)]
      }
      phase = .committed(url: committedURL)
      isDocumentGiven = isGiven
      isDocumentGone = false
      return [.committed(url: committedURL)]
    case .superseded, .over, .idle:
      document.guess(committedURL)
      isDocumentGiven = isGiven
      // It changed by this document.
      asked?.didHistoryChange = false
      return [.documentReplaced]
    case .starting, .committed, .interrupted, .resuming: return []
    }
  }

  func domContentLoaded() -> Events {
    if case .committed = phase { [.domContentLoaded] } else { [] }
  }

  mutating func finished(viewURL: String? = nil, isLoading: Bool = true) -> Events {
    // WebKit may think that it loads what it was given last, for ever.
    defer { seeDocument(isLoading ? nil : viewURL) }
    switch phase {
    case .committed(let url):
      phase = .idle
      return [.finished(url: documentURL ?? url)]
    case .over:
      phase = .idle
      return []
    case .superseded:
      // A fragment does not end the load of its document: no signal of its own tells that it was reached.
      if let asked, asked.wasDecided, isWithinDocument(asked) { return reachedWithinDocument(asked) }
      if asked == nil { phase = .idle }
      return []
    case .idle, .starting, .provisional, .interrupted, .resuming: return []
    }
  }

  /// - Parameter isInterruption: WebKit gave it up for something else, or for nothing.
  mutating func failed(_ error: LoadError, url failedURL: String, isInterruption: Bool = false) -> Events {
    var events = flushStart() + takePlaceOfOurs(failedURL)
    switch phase {
    case .provisional(let url, let isOurs) where isInterruption && asked == nil:
      phase = .interrupted(
        Interruption(url: url, isOurs: isOurs, isCommitted: false, redirects: redirects, error: error))
    case .committed(let url) where isInterruption && asked == nil:
      phase = .interrupted(
        Interruption(url: url, isOurs: false, isCommitted: true, redirects: redirects, error: error))
    case .provisional(let url, _):
      phase = .over
      events.append(.failed(error, url: url))
    case .committed(let url):
      phase = .over
      events.append(.failed(error, url: url))
    case .idle:
      if let asked, asked.wasDecided {
        if isInterruption, lastActionURL != asked.url { return lost() }
        self.asked = nil
        events.append(.failed(error, url: asked.url ?? failedURL))
      }
    case .over, .superseded, .starting, .interrupted, .resuming: break
    }
    return events
  }

  /// - Parameter isAtTarget: the current entry is the one that the page was sent to last.
  mutating func historyChanged(isAtTarget: Bool) { if isAtTarget { asked?.didHistoryChange = true } }

  /// WebKit's `is-loading` went off.
  mutating func loadingEnded(viewURL: String?) -> Events {
    if isInterrupted { return interruptionEnded(viewURL: viewURL) }
    seeDocument(viewURL)
    guard let asked else {
      if phase == .superseded { phase = .idle }
      return []
    }
    guard isWithinDocument(asked) else { return [] }
    // The history may have changed for an older reason.
    if asked.kind == .history, let url = asked.url, viewURL != url { return [] }
    return reachedWithinDocument(asked, viewURL: viewURL)
  }

  mutating func seeDocument(_ viewURL: String?) {
    if asked == nil, isAtRest, viewURL != "" { document.seen(viewURL) }
  }

  private var isAtRest: Bool { phase == .idle || phase == .over || phase == .superseded }

  mutating func addressChanged(viewURL: String?) -> Events {
    guard let viewURL, !viewURL.isEmpty else { return [] }
    if let asked {
      // Of two steps within the document, asked for at once, only the address tells that the second was reached.
      if viewURL == asked.url, isWithinDocument(asked) { return reachedWithinDocument(asked) }
      if viewURL != asked.url, documentURL != nil, viewURL != documentURL {
        documentURL = viewURL
        self.asked?.didDocumentMove = true
      }
      return []
    }
    guard viewURL != documentURL else { return [] }
    switch phase {
    case .idle where documentURL != nil, .committed:
      documentURL = viewURL
      return [.sameDocumentNavigation(url: viewURL)]
    case .interrupted(let interruption) where viewURL.withoutFragment == documentURL?.withoutFragment:
      documentURL = viewURL
      // For a fragment, too, WebKit gives up what is to take the document's place.
      let ended = interruption.isCommitted ? interruptionEnded(viewURL: viewURL) : overtaken()
      phase = .idle
      return ended + [.sameDocumentNavigation(url: viewURL)]
    case .idle, .starting, .provisional, .over, .superseded, .interrupted, .resuming:
      // The old document goes to a fragment of its own until the new one is there.
      if let documentURL, viewURL.withoutFragment == documentURL.withoutFragment {
        self.documentURL = viewURL
      }
      // Where nothing loads, or what does is nobody's any more, it may be the document's as well.
      if isAtRest {
        document.suspect()
        document.seen(nil)
      }
      return []
    }
  }

  mutating func processTerminated(_ reason: ProcessTerminationReason) -> Events {
    let shown = url
    asked = nil
    phase = .idle
    isDocumentGone = true
    document = DocumentAddress()
    documentURL = shown
    return [.processTerminated(reason)]
  }

  // MARK: Steps

  mutating func begin(_ url: String, isOurs: Bool) -> Events {
    phase = .provisional(url: url, isOurs: isOurs)
    lastSentURL = url
    let isUserInitiated = !isOurs && actions.wasUserInitiated(url)
    return [
      .willNavigate(url: url, isRedirect: false, isUserInitiated: isUserInitiated), .started(url: url),
    ]
  }

  /// A page's navigation that ends, or goes on, before its address was told.
  private mutating func flushStart() -> Events {
    if case .resuming(let interruption) = phase { return resume(lastActionURL ?? interruption.url) }
    return phase == .starting ? begin(lastActionURL ?? "", isOurs: false) : []
  }

  private mutating func reachedWithinDocument(_ asked: AskedLoad, viewURL: String? = nil) -> Events {
    if asked.leavesGiven { return reachedWithinGiven(asked) }
    let url = viewURL ?? asked.url ?? documentURL ?? ""
    self.asked = nil
    phase = .idle
    documentURL = url
    document.seen(url)
    return [.sameDocumentNavigation(url: url)]
  }

  private func isWithinDocument(_ asked: AskedLoad) -> Bool { !isDocumentGone && asked.isWithin(documentURL) }

  private static func isBlank(_ url: String) -> Bool { url.hasPrefix("about:") }
}
