import WebViewCore

/// What we ask of WebKit: loads, the same load once more, and the end of whatever runs.
extension NavigationTracker {
  mutating func askLoad(url: String) { ask(.load, url) }
  /// A load of its own, whatever the document that is there.
  mutating func askEntry(url: String) { ask(.entry, url) }
  mutating func askContent(url: String) { ask(.content, url) }
  mutating func askReload() { ask(.reload, documentURL) }
  mutating func askHistory(url: String?, leavesGiven: Bool = false) {
    ask(.history, url)
    asked?.leavesGiven = isDocumentGiven && leavesGiven
    lastAsked = asked
  }
  var isAskedForHistory: Bool { asked?.kind == .history }

  private var isStepUnderWay: Bool {
    isAskedForHistory || asked == nil && (isOursProvisional ? lastAsked?.kind == .history : isLastActionStep)
  }

  private mutating func ask(_ kind: AskedLoad.Kind, _ url: String?) {
    if isLoading { document.suspect() }
    // A step within the document would leave it to WebKit.
    stoppedURL = kind == .history && asked?.wasDecided == false ? asked?.url : nil
    let takesPlaceOfStep = kind != .history && (isStepUnderWay || asked?.takesPlaceOfStep == true)
    asked = AskedLoad(kind: kind, url: url)
    asked?.takesPlaceOfStep = takesPlaceOfStep
    lastAsked = asked
    overtakenLoad = nil
    if phase != .idle { phase = .superseded }
  }

  /// WebKit takes given content for the entry's document. From the entry itself it goes there, unless that is a place
  /// in it, or the content moves all the time: then only the next process does.
  mutating func reachedWithinGiven(_ step: AskedLoad) -> Events {
    guard step.isAgain || step.url?.contains("#") == true else {
      asked?.isWithinGiven = true
      return []
    }
    asked = nil
    phase = .idle
    overtakenLoad = step
    return [.overtaken(url: step.url ?? documentURL ?? "", isStubborn: true)]
  }

  /// A step that WebKit made within given content: from the entry itself it loads the entry's document.
  mutating func askStepAgain() -> Bool {
    guard let asked, asked.isWithinGiven else { return false }
    ask(.history, asked.url)
    self.asked?.leavesGiven = true
    self.asked?.isAgain = true
    lastAsked = self.asked
    return true
  }

  /// WebKit is given the same load once more; true when it is still to start.
  mutating func askAgain() -> Bool {
    guard let asked else { return false }
    ask(asked.kind, asked.url)
    self.asked?.isTold = asked.isTold
    self.asked?.leavesGiven = asked.leavesGiven
    return true
  }

  /// Our load, which WebKit dropped by itself before there was an answer, is given once more; false: it is not ours.
  mutating func askDroppedAgain() -> Bool {
    guard case .provisional(let url, true) = phase, redirects == 0, asked == nil else { return false }
    ask(.load, url)
    asked?.isTold = true
    return true
  }

  /// Our load, whose place the page took, is given once more.
  mutating func askOvertakenAgain() {
    guard let overtakenLoad else { return }
    ask(overtakenLoad.kind, overtakenLoad.url)
    asked?.leavesGiven = overtakenLoad.leavesGiven
    lastAsked = asked
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
    if isLoading { document.suspect() }
    if let asked {
      self.asked = nil
      stoppedURL = asked.wasDecided ? nil : asked.url
      phase = .superseded
      return [.failed(failure, url: asked.url ?? documentURL ?? "")]
    }
    switch phase {
    case .provisional(let url, _), .committed(let url):
      phase = .superseded
      return [.failed(failure, url: url)]
    case .interrupted(let interruption), .resuming(let interruption):
      phase = .superseded
      return [.failed(failure, url: interruption.url)]
    case .starting:
      phase = .superseded
      let url = lastActionURL ?? ""
      return [.willNavigate(url: url, isRedirect: false), .started(url: url), .failed(failure, url: url)]
    case .idle, .over, .superseded: return []
    }
  }
}
