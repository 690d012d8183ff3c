import WebViewCore

/// Loads that WebKit gives up, and what the page does instead.
extension NavigationTracker {
  struct Interruption: Equatable {
    let url: String
    let isOurs: Bool
    /// Its document is there: what starts next is another navigation, whatever its address.
    let isCommitted: Bool
    let redirects: Int
    let error: LoadError
    /// The policy was asked for something since.
    var isFollowed = false
    /// A script opened the document that is there anew.
    var isByOpening = false
  }

  /// A load of ours runs that has no document yet.
  var isOursProvisional: Bool { if case .provisional(_, true) = phase { true } else { false } }

  /// A person's act in the page, or a client's script, led to what the page went to last.
  var isUserInitiated: Bool { lastActionURL.map { actions.wasUserInitiated($0) } ?? false }

  var isInterrupted: Bool { if case .interrupted = phase { true } else { false } }

  mutating func noteFollower() {
    guard case .interrupted(var interruption) = phase else { return }
    interruption.isFollowed = true
    phase = .interrupted(interruption)
  }

  mutating func noteOpening() {
    guard case .interrupted(var interruption) = phase else { return }
    interruption.isByOpening = true
    phase = .interrupted(interruption)
  }

  /// What the process began before is told.
  /// - Parameter isLast: no more is waited for: what follows does not start, since something else follows it.
  /// - Returns: nil: what follows may still start.
  mutating func interruptionAnswered(viewURL: String?, isLast: Bool) -> Events? {
    guard case .interrupted(var interruption) = phase else { return [] }
    guard interruption.isFollowed else { return interruptionEnded(viewURL: viewURL) }
    if isLast {
      let events = overtaken()
      phase = .idle
      seeDocument(viewURL)
      return events
    }
    interruption.isFollowed = false
    phase = .interrupted(interruption)
    return nil
  }

  /// Nothing came in its place, unless the document that is there was opened anew.
  mutating func interruptionEnded(viewURL: String?) -> Events {
    guard case .interrupted(let interruption) = phase else { return [] }
    let isOvertaken = interruption.isByOpening && interruption.isOurs && !interruption.isCommitted
    let events = isOvertaken ? overtaken() : [.failed(interruption.error, url: interruption.url)]
    phase = .idle
    seeDocument(viewURL)
    return events
  }

  /// What started after it was given up: a second request for the same address, or the page's own navigation.
  mutating func resume(_ started: String, isRepeatable: Bool = true) -> Events {
    guard case .resuming(let interruption) = phase else { return [] }
    if isRepeatable, started == interruption.url, interruption.isOurs, !interruption.isCommitted {
      phase = .provisional(url: started, isOurs: true)
      return []
    }
    return overtaken() + begin(started, isOurs: false)
  }

  private func isPlaceInDocument(_ url: String) -> Bool {
    url.contains("#") && url.withoutFragment == documentURL?.withoutFragment
  }

  /// A navigation of the page's own, asked for after ours and before its start, took its place.
  mutating func takePlaceOfOurs(_ url: String) -> Events {
    guard case .provisional(let ours, true) = phase, redirects == 0, url != ours, url == lastActionURL
    else { return [] }
    guard isPlaceInDocument(url) else { return overtaken() + begin(url, isOurs: false) }
    // The page is there, of which WebKit tells nothing else.
    let ended = overtaken()
    phase = .idle
    document.set(url)
    return ended + [.sameDocumentNavigation(url: url)]
  }

  /// A navigation of the page's own takes the place of what runs.
  /// - Parameter redirects: that led what runs on; nil: those that were told last.
  mutating func overtaken(after redirects: Int? = nil) -> Events {
    switch phase {
    case .provisional(let url, let isOurs):
      phase = .over
      overtakenLoad = isOurs ? lastAsked : nil
      overtakenLoad?.redirects = redirects ?? self.redirects
      return [.overtaken(url: url)]
    case .committed(let url):
      phase = .over
      overtakenLoad = nil
      return [.overtaken(url: url)]
    case .interrupted(let interruption), .resuming(let interruption):
      phase = .over
      overtakenLoad = interruption.isOurs && !interruption.isCommitted ? lastAsked : nil
      overtakenLoad?.redirects = interruption.redirects
      return [.overtaken(url: interruption.url)]
    case .idle, .starting, .over, .superseded: return []
    }
  }
}
