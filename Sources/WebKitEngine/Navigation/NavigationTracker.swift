import WebViewCore

/// Turns WebKit's raw signals about the main frame into the events of the port: each started navigation gets
/// exactly one end, a superseded one is silent, and an end that only looks like success is a failure.
///
/// Pure: one mutating function per signal, each giving the events to tell.
struct NavigationTracker {
  /// A load of ours that was asked for and did not start yet.
  private struct Asked {
    enum Kind { case load, content, reload, history }
    var kind: Kind
    var url: String?
    /// WebKit asked the policy for it: what starts from now on is this load.
    var wasDecided = false
    var didHistoryChange = false
    /// The document that is there went to a fragment since.
    var didDocumentMove = false
  }

  private enum Phase: Equatable {
    case idle
    /// WebKit said "started" without an address that can be trusted: a navigation of the page's own.
    case starting
    case provisional(url: String, isOurs: Bool)
    case committed(url: String)
    /// Ours, cancelled while something else loads: a second request for the same address, or the page's own.
    case interrupted(url: String, LoadError)
    case resuming(url: String, LoadError)
    /// The end was told; WebKit's own "finished" is still to come.
    case over
    /// Superseded by a load of ours: nothing more is told of it.
    case superseded
  }

  typealias Events = [EnginePageEvent]

  private var asked: Asked?
  private var phase = Phase.idle
  private var lastActionURL: String?
  private var lastSentURL: String?
  private var redirectStatus: Int?
  private(set) var redirects = 0
  /// Of the document that is there; nil before the first one.
  private(set) var documentURL: String?

  /// What a client sees: our own load's address as soon as it is asked for, else the document's.
  var url: String? {
    if let asked { return asked.url ?? documentURL }
    switch phase {
    case .provisional(let url, true), .interrupted(let url, _), .resuming(let url, _): return url
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

  // MARK: Commands of ours

  mutating func askLoad(url: String) { ask(.load, url) }
  mutating func askContent(url: String) { ask(.content, url) }
  mutating func askReload() { ask(.reload, documentURL) }
  mutating func askHistory(url: String?) { ask(.history, url) }

  private mutating func ask(_ kind: Asked.Kind, _ url: String?) {
    asked = Asked(kind: kind, url: url)
    if phase != .idle { phase = .superseded }
  }

  /// The load that was asked for will not happen.
  mutating func refuseAsked(_ error: LoadError) -> Events {
    guard let asked else { return [] }
    self.asked = nil
    return [.responseRefused(error, url: asked.url ?? "")]
  }

  /// Ends whatever runs. Not left to WebKit, whose answer a hung page never gives.
  mutating func stop() -> Events {
    let failure = LoadError(.cancelled, "The load was stopped.")
    if let asked {
      self.asked = nil
      phase = .superseded
      return [.failed(failure, url: asked.url ?? documentURL ?? "")]
    }
    switch phase {
    case .provisional(let url, _), .committed(let url), .interrupted(let url, _), .resuming(let url, _):
      phase = .superseded
      return [.failed(failure, url: url)]
    case .starting:
      phase = .superseded
      let url = lastActionURL ?? ""
      return [.willNavigate(url: url, isRedirect: false), .started(url: url), .failed(failure, url: url)]
    case .idle, .over, .superseded: return []
    }
  }

  // MARK: Signals

  /// The policy of a navigation was asked for; whether of the main frame WebKit does not say.
  /// - Parameter viewURL: the view's own address, which for a load of ours is that load's.
  mutating func decided(url: String, viewURL: String?, isRedirect: Bool) {
    if !isRedirect { lastActionURL = url }
    if let asked {
      // While an older load commits, the view shows that one's address, not that of the load asked for.
      let isAsked =
        url == viewURL || url == asked.url
        || asked.kind == .reload
          && documentURL.map { Self.withoutFragment($0) == Self.withoutFragment(url) } == true
      if isAsked { self.asked?.wasDecided = true }
    } else if phase == .superseded {
      phase = .idle
    }
  }

  mutating func started(viewURL: String?) -> Events {
    redirects = 0
    redirectStatus = nil
    lastSentURL = nil
    guard let asked else {
      if phase == .superseded { return [] }
      if case .interrupted(let url, let error) = phase {
        phase = .resuming(url: url, error)
        return []
      }
      let ended = end(LoadError(.cancelled, "Another navigation took its place."))
      phase = .starting
      return ended
    }
    guard asked.wasDecided else {
      // A load that was superseded while its start was on the way.
      phase = .superseded
      return []
    }
    self.asked = nil
    // The view may still show the address of the document before.
    return begin(asked.url ?? viewURL ?? "", isOurs: true)
  }

  mutating func mainResourceStarted(url: String) -> Events {
    lastSentURL = url
    if phase == .starting { return begin(url, isOurs: false) }
    if case .resuming = phase { return resume(url) }
    // A navigation of the page's own, asked for after ours and before its start, took its place.
    guard case .provisional(let ours, true) = phase, redirects == 0, url != ours, url == lastActionURL
    else { return [] }
    return end(Self.overtaken) + begin(url, isOurs: false)
  }

  /// Our load was let go and did not start, though the page's process has been heard of since.
  mutating func lost() -> Events {
    guard let asked else { return [] }
    self.asked = nil
    phase = .idle
    return [.failed(Self.overtaken, url: asked.url ?? documentURL ?? "")]
  }

  /// A fragment that the page went to meanwhile makes WebKit forget a load of ours without a word.
  var mayBeLost: Bool { asked?.didDocumentMove == true }

  private static let overtaken = LoadError(.cancelled, "A navigation of the page's own took its place.")

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

  mutating func responded(_ response: MainResourceResponse, isShown: Bool) -> Events {
    var events = flushStart()
    guard case .provisional(let url, _) = phase else { return events }
    events.append(.responded(response))
    if !isShown {
      phase = .over
      let type = response.mimeType ?? "unknown"
      events.append(
        .responseRefused(LoadError(.cannotShowMIMEType, "The type \(type) cannot be shown."), url: url))
    }
    return events
  }

  mutating func committed(viewURL: String?) -> Events {
    let committedURL = viewURL ?? ""
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
      documentURL = committedURL
      if committedURL == "about:blank", !Self.isBlank(url) {
        // WebKit shows about:blank in place of what it refuses to ask for: a blocked port, a blocked scheme.
        phase = .over
        return [.failed(LoadError(.blockedByPolicy, "The engine refuses to load this address."), url: url)]
      }
      phase = .committed(url: committedURL)
      return [.committed(url: committedURL)]
    case .superseded, .over:
      documentURL = committedURL
      return []
    case .idle, .starting, .committed, .interrupted, .resuming: return []
    }
  }

  func domContentLoaded() -> Events {
    if case .committed = phase { [.domContentLoaded] } else { [] }
  }

  mutating func finished() -> Events {
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

  /// - Parameter isLoading: WebKit goes on to load something.
  mutating func failed(_ error: LoadError, url failedURL: String, isLoading: Bool = false) -> Events {
    var events = flushStart()
    switch phase {
    case .provisional(let url, true) where isLoading && error.code == .cancelled && asked == nil:
      phase = .interrupted(url: url, error)
    case .provisional(let url, _):
      phase = .over
      events.append(.failed(error, url: url))
    case .committed(let url):
      phase = .over
      events.append(.failed(error, url: url))
    case .idle:
      if let asked, asked.wasDecided {
        self.asked = nil
        events.append(.failed(error, url: asked.url ?? failedURL))
      }
    case .over, .superseded, .starting, .interrupted, .resuming: break
    }
    return events
  }

  mutating func historyChanged() { asked?.didHistoryChange = true }

  /// WebKit's `is-loading` went off.
  mutating func loadingEnded(viewURL: String?) -> Events {
    if case .interrupted(let url, let error) = phase {
      phase = .idle
      return [.failed(error, url: url)]
    }
    guard let asked, isWithinDocument(asked) else { return [] }
    // The history may have changed for an older reason.
    if asked.kind == .history, let url = asked.url, viewURL != url { return [] }
    return reachedWithinDocument(asked, viewURL: viewURL)
  }

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
    case .idle, .starting, .provisional, .over, .superseded, .interrupted, .resuming:
      // The old document goes to a fragment of its own until the new one is there.
      if let documentURL, Self.withoutFragment(viewURL) == Self.withoutFragment(documentURL) {
        self.documentURL = viewURL
      }
      return []
    }
  }

  mutating func processTerminated(_ reason: ProcessTerminationReason) -> Events {
    let shown = url
    asked = nil
    phase = .idle
    documentURL = shown
    return [.processTerminated(reason)]
  }

  // MARK: Steps

  private mutating func begin(_ url: String, isOurs: Bool) -> Events {
    phase = .provisional(url: url, isOurs: isOurs)
    lastSentURL = url
    return [.willNavigate(url: url, isRedirect: false), .started(url: url)]
  }

  /// A page's navigation that ends, or goes on, before its address was told.
  private mutating func flushStart() -> Events {
    if case .resuming(let url, _) = phase { return resume(lastActionURL ?? url) }
    return phase == .starting ? begin(lastActionURL ?? "", isOurs: false) : []
  }

  /// What started after ours was cancelled: ours again, or another.
  private mutating func resume(_ started: String) -> Events {
    guard case .resuming(let url, let error) = phase else { return [] }
    if started == url {
      phase = .provisional(url: url, isOurs: true)
      return []
    }
    phase = .over
    return [.failed(error, url: url)] + begin(started, isOurs: false)
  }

  private mutating func end(_ error: LoadError) -> Events {
    switch phase {
    case .provisional(let url, _), .committed(let url):
      phase = .over
      return [.failed(error, url: url)]
    case .interrupted(let url, let error), .resuming(let url, let error):
      phase = .over
      return [.failed(error, url: url)]
    case .idle, .starting, .over, .superseded: return []
    }
  }

  private mutating func reachedWithinDocument(_ asked: Asked, viewURL: String? = nil) -> Events {
    let url = viewURL ?? asked.url ?? documentURL ?? ""
    self.asked = nil
    phase = .idle
    documentURL = url
    return [.sameDocumentNavigation(url: url)]
  }

  private func isWithinDocument(_ asked: Asked) -> Bool {
    switch asked.kind {
    case .history: return asked.didHistoryChange && !asked.wasDecided
    case .load:
      guard asked.wasDecided, let url = asked.url, let documentURL, url.contains("#") else { return false }
      return Self.withoutFragment(url) == Self.withoutFragment(documentURL)
    case .content, .reload: return false
    }
  }

  private static func withoutFragment(_ url: String) -> Substring { url.prefix { $0 != "#" } }
  private static func isBlank(_ url: String) -> Bool { withoutFragment(url).hasPrefix("about:") }
}
