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

  /// The engine fetched the document's bytes: they are for reloads, and now for the page. A process that hangs
  /// never takes them: it is ended, and the next one is given them. What was sent is not sent again.
  func keep(_ content: LoadContent) {
    guard heldLoad?.isIssued != false, let id = navigations.running else { return }
    let kept = content.kept
    loadingContent = (id, kept)
    let again: @PageActor () -> Void = { [weak self] in self?.issueAgain(kept, id) }
    repeatable = (id, again)
    if let contentWatch { context.timers.cancel(contentWatch.timer) }
    let timer = context.timers.after(.seconds(context.limits.probeTimeout / 2)) { [weak self] in
      guard let self, !isDisposed, navigations.running == id, navigations.milestone(id) == .begun else {
        return
      }
      heldLoad = HeldLoad(id: id, isIssued: true, begin: again)
      probe()
    }
    contentWatch = (id, timer)
  }

  /// The page has the content, or gets none.
  func endContentWatch(of id: NavigationID) {
    guard let contentWatch, contentWatch.id == id else { return }
    context.timers.cancel(contentWatch.timer)
    self.contentWatch = nil
  }
}
