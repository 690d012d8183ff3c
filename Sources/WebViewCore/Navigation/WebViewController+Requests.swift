import Foundation

/// What a request asks of its load beyond the engine: its time, and that it is sent once.
extension WebViewController {
  /// From the load's begin to its end, whatever it waits for meanwhile.
  func limit(_ id: NavigationID, to seconds: Double?) {
    if let timeLimit { context.timers.cancel(timeLimit.timer) }
    timeLimit = seconds.map { seconds in
      let timer = context.timers.after(.seconds(seconds)) { [weak self] in
        guard let self, !isDisposed, navigations.running == id else { return }
        endLoading { $0.timeOut(now: Date()) }
      }
      return (id, timer)
    }
  }

  func endTimeLimit(of id: NavigationID) {
    guard let timeLimit, timeLimit.id == id else { return }
    context.timers.cancel(timeLimit.timer)
    self.timeLimit = nil
  }

  /// What the engine fetched, or where that led, is the page's now, and nothing of what was sent is sent again. A page
  /// that hangs, or ends whatever loads, never takes it: then the next process is given it.
  func handOver(_ content: LoadContent) {
    guard heldLoad?.isIssued != false, let id = navigations.running, navigations.awaitStart(of: id) else {
      return
    }
    let kept = content.kept
    loadingContent = kept.isURL ? nil : (id, kept)
    let again: @PageActor () -> Void = { [weak self] in self?.issueAgain(kept, id) }
    willBegin(id, again: again)
    watchStart(id, isYoung: page.processIdentifier == nil, again: again)
  }
}
