import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  /// What WebKit has yet to tell when a process ended: of a document that came before, or of the end itself.
  private static let newsTime = Duration.milliseconds(250)

  var pageID: UInt { webkit_web_view_get_page_id(view) }

  func connectProcesses() {
    context.onStart { [weak self] in self?.processStarted() ?? 0 }
    context.onPageCreated { [weak self] process, page in self?.processes.pageCreated(page, in: process) }
  }

  private func processStarted() -> UInt {
    let number = processes.nextNumber
    return processes.started(
      WebProcess(newOf: engine.children) { [weak self] in self?.processEnded(number) })
  }

  /// Other processes keep documents that the page may go back to. WebKit shows a blank one instead, and calls it
  /// finished, once the page has lost its own: they end with that, and the documents are loaded.
  func endKeptProcesses() {
    guard processes.all.contains(where: \.isThere) else { return }
    lastProcessEnd = .now
    for process in processes.all { process.kill() }
  }

  /// Begins a step in the history when WebKit knows of their end.
  /// - Parameter left: how often it is looked whether they ended.
  func afterKeptProcesses(left: Int = 100, _ begin: @escaping @PageActor (WebKitPage) -> Void) {
    let areThere = left > 0 && processes.all.contains(where: \.isThere)
    let wait = lastProcessEnd.map { Self.newsTime - $0.duration(to: .now) } ?? .zero
    guard needsProcess, areThere || wait > .zero else { return begin(self) }
    let number = issuedLoad.ask()
    _ = engine.timers.after(areThere ? .milliseconds(20) : wait) { [weak self] in
      guard let self, !self.isClosed, self.issuedLoad.number == number else { return }
      self.afterKeptProcesses(left: left - 1, begin)
    }
  }

  /// Of a process that has not the page's document WebKit tells nothing. A load whose document was to come in it would
  /// never end, and one that was given to WebKit at that moment would never begin.
  private func processEnded(_ number: UInt) {
    lastProcessEnd = .now
    let isOfNavigation = processes.ended(number, page: pageID)
    guard !isClosed else { return }
    let (load, decisions) = (issuedLoad.number, processes.decisions)
    let (generation, document) = (processGeneration, documentNumber)
    _ = engine.timers.after(Self.newsTime) { [weak self] in
      guard let self, !self.isClosed, self.isReady, self.issuedLoad.number == load,
        self.processGeneration == generation, self.documentNumber == document
      else { return }
      if isOfNavigation, self.tracker.isUnderWay, self.processes.decisions == decisions {
        self.failLoading(
          LoadError(.webContentProcessTerminated, "The process that was to show the document ended."))
      } else if self.tracker.isAwaitingStart {
        self.loadAgain()
      }
    }
  }
}
