import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  /// What WebKit has yet to tell when a process ended: of a document that came before, or of the end itself.
  private static let newsTime = Duration.milliseconds(250)

  var pageID: UInt { webkit_web_view_get_page_id(view) }

  func connectProcesses() {
    context.onStart { [weak self] in
      guard let self else { return (0, 0) }
      return (self.processStarted(), self.owedEntry.owedAtStart)
    }
    context.onPageCreated { [weak self] process, page in self?.processes.pageCreated(page, in: process) }
  }

  private func processStarted() -> UInt {
    let number = processes.nextNumber
    return processes.started(
      StartedProcess(newOf: engine.children) { [weak self] in self?.processEnded(number) })
  }

  /// Whether the next document comes in the process that is there, whatever its opener policy asks for. Where WebKit goes
  /// on to another process with an entry that a redirect led on, it takes the entry's address for the document's, or ends
  /// that process.
  func keepProcess(_ isWanted: Bool) {
    guard isWanted != isProcessWanted else { return }
    isProcessWanted = isWanted
    engine.openerPolicy?.set(!isWanted, in: engineSettings)
  }

  /// Other processes keep documents that the page left. Once the page has lost its own, WebKit would go back to one and
  /// show a blank document, which it calls finished, or give the next load to a process that ends: so they end with it.
  func endKeptProcesses() {
    let kept = processes.kept(besides: pageID)
    guard !kept.isEmpty else { return }
    lastKeptEnd = .now
    for process in kept { process.kill() }
  }

  /// Begins a load when WebKit knows of their end.
  /// - Parameter left: how often it is looked whether they ended.
  func afterKeptProcesses(left: Int = 100, _ begin: @escaping @PageActor () -> Void) {
    let areThere = left > 0 && processes.kept(besides: pageID).contains(where: \.isThere)
    let wait = lastKeptEnd.map { Self.newsTime - $0.duration(to: .now) } ?? .zero
    guard needsProcess, areThere || wait > .zero else { return begin() }
    let number = issuedLoad.number
    _ = engine.timers.after(areThere ? .milliseconds(20) : wait) { [weak self] in
      guard let self, !self.isClosed, self.issuedLoad.number == number else { return }
      self.afterKeptProcesses(left: left - 1, begin)
    }
  }

  /// What there was when a process ended.
  private struct Moment: Equatable {
    let load: Int
    let generation: Int
    let document: Int
  }

  private var moment: Moment {
    Moment(load: issuedLoad.number, generation: processGeneration, document: documentNumber)
  }

  /// Of a process that has not the page's document WebKit tells nothing. A load whose document was to come in it would
  /// never end, and one that was given to WebKit at that moment would never begin.
  private func processEnded(_ number: UInt) {
    let end = processes.ended(number, page: pageID)
    guard !isClosed, end != .ofPage else { return }
    lastKeptEnd = .now
    settle(end, at: moment, navigation: processes.navigations)
  }

  /// - Parameter left: how often it is looked whether the document is to come in another process instead.
  private func settle(
    _ end: PageProcesses<StartedProcess>.End, at moment: Moment, navigation: Int, left: Int = 20
  ) {
    _ = engine.timers.after(Self.newsTime) { [weak self] in
      guard let self, !self.isClosed, self.isReady, self.moment == moment else { return }
      guard end == .ofNavigation, self.processes.navigations == navigation, self.tracker.isProvisional else {
        return self.giveAgainUnlessBegun(moment.load)
      }
      switch self.processes.successor {
      case .certain: return
      case .perhaps where left > 0:
        return self.settle(end, at: moment, navigation: navigation, left: left - 1)
      case .perhaps, .none:
        self.failLoading(
          LoadError(.webContentProcessTerminated, "The process that was to show the document ended."))
      }
    }
  }

  /// All that the page's process begins is told, and the load is not among it: nothing was sent.
  private func giveAgainUnlessBegun(_ load: Int) {
    func isLost(_ page: WebKitPage) -> Bool {
      page.issuedLoad.number == load && page.tracker.isAwaitingStart
    }
    guard isLost(self) else { return }
    whenBegun { if isLost($0) { $0.loadAgain() } }
  }
}
