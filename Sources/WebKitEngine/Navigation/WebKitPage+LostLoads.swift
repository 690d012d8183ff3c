import CWebKit
import GLibBridge
import WebViewCore

/// Loads that WebKit was given and loses: found out, and given again.
extension WebKitPage {
  /// A navigation went on in another process (which its response may ask for) and its document is there. What
  /// was sent to the process before reaches nobody: a load that this one did not begin is given again, and who
  /// waits for the process to answer has its answer.
  func processSwapped() {
    guard isReady, !isCalling else { return }
    // It may be without the document that was on its way there: only it can tell.
    tracker.document.suspect()
    afterThisTurn { $0.seeDocument() }
    processAnswered()
    guard tracker.isAwaitingStart else { return }
    // Not within WebKit's change of processes.
    giveAgainLater { $0.askAgain() }
  }

  /// WebKit does not begin what it was given last, and the process answers.
  func loadAgain() {
    guard !isClosed else { return }
    giveAgainLater(stopping: true) { $0.askAgain() }
  }

  func leaveGivenContent() {
    if tracker.asked?.isWithinGiven == true { giveAgainLater { $0.askStepAgain() } }
  }

  /// - Parameters:
  ///   - stopping: what WebKit is at with what it was given.
  ///   - ask: whether there still is what is to be given.
  private func giveAgainLater(
    stopping: Bool = false, _ ask: @escaping @PageActor (inout NavigationTracker) -> Bool
  ) {
    guard let begin = issuedLoad.begin else { return }
    let number = issuedLoad.number
    afterThisTurn { page in
      guard !page.isClosed, page.issuedLoad.number == number, ask(&page.tracker) else { return }
      page.headerDelivery.again()
      page.issuedLoad.giveAgain(begin)
      page.calling {
        if stopping { webkit_web_view_stop_loading(page.view) }
        begin(page)
      }
    }
  }

  /// True: WebKit dropped our load, which is given again. With the end of another one that one's connection is
  /// cancelled, which may have become this one's; for a load that somebody cancelled WebKit has another word.
  func isDropped(_ error: GLibError) -> Bool {
    guard error.domain == "g-io-error-quark", error.code == Int(G_IO_ERROR_CANCELLED.rawValue),
      issuedLoad.canBeDropped, tracker.askDroppedAgain()
    else { return false }
    issuedLoad.dropped()
    giveAgainLater { $0.isAwaitingStart }
    return true
  }

  /// What is to be told, when it tells that the page took the place of a load of ours: nothing of it where that is
  /// begun once more. It is not where a person, or a client's script, made the page go elsewhere, nor where the
  /// site would be sent something twice.
  func insisted(_ events: [EnginePageEvent]) -> [EnginePageEvent] {
    guard case .overtaken(let url, isStubborn: false)? = events.first, let load = tracker.overtakenLoad,
      !tracker.isUserInitiated, issuedLoad.canBeRepeated
    else { return events }
    let hasDocument = events.contains(where: \.isCommit)
    let replacement: [EnginePageEvent] = hasDocument ? [.documentReplaced] : []
    guard issuedLoad.overtaken() else { return [.overtaken(url: url, isStubborn: true)] + replacement }
    tracker.askOvertakenAgain()
    giveAgainLater { $0.isAwaitingStart }
    return [.restarted(redirects: load.redirects)] + replacement
  }

  func findOutWhetherLoadIsLost() {
    guard issuedLoad.begin != nil else { return }
    let number = issuedLoad.number
    whenBegun { page in
      // The view's address may be that of the load before.
      page.askDocument(.program("location.href")) { answer in
        guard !page.isClosed, page.issuedLoad.number == number else { return }
        page.tell(page.tracker.lost(href: (try? answer.get()) ?? nil))
      }
    }
  }

  /// WebKit gives a load up before it asks the policy for what the page goes to instead.
  func findOutWhatInterrupts() {
    interruptions += 1
    let number = interruptions
    askDocument(ReopenedDocument.now) { [weak self] answer in
      guard let self, self.interruptions == number, ReopenedDocument.isOpened(answer) else { return }
      self.tracker.noteOpening()
    }
    findOutWhatInterrupts(number, left: Self.patienceWithInterruption.answers)
    // A process that hangs goes nowhere.
    _ = engine.timers.after(Self.patienceWithInterruption.time) { [weak self] in
      guard let self, !self.isClosed, self.interruptions == number else { return }
      self.tell(self.tracker.interruptionEnded(viewURL: self.viewURL))
    }
  }

  private func findOutWhatInterrupts(_ number: Int, left: Int) {
    whenBegun { page in
      guard page.interruptions == number else { return }
      let events = page.tracker.interruptionAnswered(viewURL: page.viewURL, isLast: left == 1)
      guard let events else { return page.findOutWhatInterrupts(number, left: left - 1) }
      page.tell(events)
    }
  }

  private static let patienceWithInterruption = (answers: 3, time: Duration.seconds(2))

  /// When all is told that the process begins by what it has done or been given so far: what it tells comes in
  /// order. Its first answer tells that it has asked the policy, the second that it has seen the policy's answer.
  func whenBegun(_ body: @escaping @PageActor (WebKitPage) -> Void) {
    probe { [weak self] in
      self?.probe { [weak self] in
        if let self, !self.isClosed { body(self) }
      }
    }
  }

  // MARK: Whether the process answers

  func probe(completion: @escaping @PageActor () -> Void) {
    withDocument { page in
      guard page.canRunScripts else { return }
      page.probeNumber += 1
      let number = page.probeNumber
      page.probes[number] = completion
      page.ask(.program("\"\""), world: Self.internalWorld) { [weak page] answer in
        let completion = page?.probes.removeValue(forKey: number)
        // A document that runs no scripts refuses, which is an answer too.
        if case .failure(.processTerminated) = answer { return }
        completion?()
      }
    }
  }

  /// The document that came is an answer: what the process before was asked will get none.
  func processAnswered() {
    let answered = probes.sorted { $0.key < $1.key }.map(\.value)
    probes = [:]
    for completion in answered { completion() }
  }
}
