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
    processExchanged()
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

  /// What the process tells comes in order. Its first answer tells that it has seen the load and asked the
  /// policy for it, the second that it has seen the policy's answer: had it begun the load, that would be told.
  func findOutWhetherLoadIsLost() {
    guard issuedLoad.begin != nil else { return }
    let number = issuedLoad.number
    probe { [weak self] in
      guard let self, !self.isClosed, self.issuedLoad.number == number else { return }
      self.probe { [weak self] in
        guard let self, !self.isClosed, self.issuedLoad.number == number else { return }
        self.tell(self.tracker.lost())
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
