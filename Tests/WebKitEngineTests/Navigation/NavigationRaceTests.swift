import Testing
import WebViewCore

@testable import WebKitEngine

/// Loads that meet one another: orders of WebKit's signals that depend on how busy the machine is.
@Suite struct NavigationRaceTests {
  private let second = "http://a.test/second"

  @Test func aLoadAskedForWhileGivenContentIsOnItsWayIsToldToItsEnd() {
    var tracker = NavigationTracker()
    tracker.askContent(url: "about:blank")
    tracker.askLoad(url: second)
    tracker.decided(url: "about:blank", viewURL: second, isRedirect: false)
    #expect(tracker.started(viewURL: "about:blank").isEmpty)
    #expect(tracker.committed(viewURL: "about:blank") == [.documentReplaced])
    // The view shows the older load's address when the policy of the newer one is asked for.
    tracker.decided(url: second, viewURL: "about:blank", isRedirect: false)
    #expect(tracker.finished().isEmpty)
    #expect(
      tracker.started(viewURL: second) == [
        .willNavigate(url: second, isRedirect: false), .started(url: second),
      ])
    #expect(tracker.committed(viewURL: second) == [.committed(url: second)])
    #expect(tracker.finished() == [.finished(url: second)])
    #expect(!tracker.isLoading)
  }

  @Test func aStartIsToldWithTheAddressThatWasAskedFor() {
    var tracker = shown("http://a.test/first")
    tracker.askLoad(url: "http://a.test/old")
    tracker.askContent(url: "about:blank")
    tracker.decided(url: "http://a.test/old", viewURL: "http://a.test/first", isRedirect: false)
    tracker.decided(url: "about:blank", viewURL: "http://a.test/first", isRedirect: false)
    // One start for both: the older load was never begun.
    #expect(
      tracker.started(viewURL: "http://a.test/first") == [
        .willNavigate(url: "about:blank", isRedirect: false), .started(url: "about:blank"),
      ])
    #expect(tracker.committed(viewURL: "about:blank") == [.committed(url: "about:blank")])
  }

  @Test func aStepBackRightBehindAFragmentEnds() {
    var tracker = shown("http://a.test/x#2")
    tracker.askLoad(url: "http://a.test/x#3")
    tracker.askHistory(url: "http://a.test/x")
    #expect(tracker.addressChanged(viewURL: "http://a.test/x").isEmpty, "what was asked for, not yet reached")
    #expect(tracker.loadingEnded(viewURL: "http://a.test/x").isEmpty)
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#2").isEmpty)
    tracker.decided(url: "http://a.test/x#3", viewURL: "http://a.test/x#2", isRedirect: false)
    tracker.historyChanged(isAtTarget: true)
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#3").isEmpty)
    tracker.historyChanged(isAtTarget: true)
    #expect(
      tracker.addressChanged(viewURL: "http://a.test/x") == [.sameDocumentNavigation(url: "http://a.test/x")])
    #expect(!tracker.isLoading)
  }

  @Test func whatThePageLoadsWhileOursIsPreparedIsNotOurs() {
    var tracker = shown("http://a.test/form")
    tracker.askEntry(url: "http://a.test/form")
    tracker.asked?.isPrepared = true
    tracker.decided(url: "http://a.test/form", viewURL: "http://a.test/form", isRedirect: false)
    #expect(tracker.started(viewURL: "http://a.test/form").isEmpty)
    #expect(tracker.committed(viewURL: "http://a.test/form") == [.documentReplaced])
    #expect(tracker.isAwaitingStart)
  }

  @Test func aFragmentOfTheOldDocumentIsNotTheEntryThatWasAskedFor() {
    var tracker = shown("http://a.test/x")
    tracker.askReload()
    tracker.askHistory(url: "http://a.test/y")
    tracker.historyChanged(isAtTarget: false)
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#1").isEmpty)
    #expect(tracker.lost() == [.overtaken(url: "http://a.test/y")])
  }

  @Test func anotherHistoryEntryIsNotReachedByAFragmentOfTheOldDocument() {
    var tracker = shown("http://a.test/x")
    tracker.askHistory(url: "http://a.test/before")
    tracker.historyChanged(isAtTarget: true)
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#hash").isEmpty)
    #expect(tracker.loadingEnded(viewURL: "http://a.test/x#hash").isEmpty)
    #expect(tracker.isLoading)
  }

  @Test func aFragmentBeforeALoadThatShowsNothingIsKept() {
    let given = "http://a.test/none"
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: "http://a.test/x#z")
    tracker.askLoad(url: given)
    tracker.decided(url: "http://a.test/x#z", viewURL: "http://a.test/x", isRedirect: false)
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#z").isEmpty)
    tracker.decided(url: given, viewURL: "http://a.test/x#z", isRedirect: false)
    _ = tracker.started(viewURL: "http://a.test/x#z")
    _ = tracker.failed(LoadError(.other, "no content"), url: given)
    _ = tracker.finished()
    #expect(tracker.url == "http://a.test/x#z")
  }

  @Test func aNavigationOfThePageThatOvertakesALoadEndsIt() {
    let (ours, pages) = ("http://a.test/ours", "http://a.test/pages")
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    tracker.decided(url: pages, viewURL: ours, isRedirect: false)
    _ = tracker.started(viewURL: ours)
    #expect(
      tracker.mainResourceStarted(url: pages) == [
        .overtaken(url: ours), .willNavigate(url: pages, isRedirect: false), .started(url: pages),
      ])
    #expect(tracker.committed(viewURL: pages) == [.committed(url: pages)])
    #expect(tracker.finished() == [.finished(url: pages)])
  }

  @Test func aLoadThatAFragmentOfThePageMadeWebKitForgetEnds() {
    let ours = "http://a.test/ours"
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: ours)
    #expect(!tracker.mayBeLost)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#f").isEmpty)
    #expect(tracker.mayBeLost)
    #expect(tracker.lost() == [.overtaken(url: ours)])
    #expect(!tracker.isLoading && tracker.url == "http://a.test/x#f")
    #expect(tracker.lost().isEmpty)
  }

  @Test func aStepWithinTheDocumentThatSupersedesALoadIsReached() {
    let (hanging, before) = ("http://a.test/hanging", "http://a.test/before")
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: hanging)
    tracker.decided(url: hanging, viewURL: hanging, isRedirect: false)
    _ = tracker.started(viewURL: hanging)
    #expect(tracker.isProvisional)
    tracker.askHistory(url: before)
    tracker.historyChanged(isAtTarget: true)
    // WebKit shows the older load's address until that is over.
    _ = tracker.addressChanged(viewURL: hanging)
    #expect(tracker.mayBeLost)
    #expect(tracker.lost(href: before) == [.sameDocumentNavigation(url: before)])
    #expect(!tracker.isLoading && !tracker.isProvisional && tracker.url == before)
  }

  @Test func aSecondLoadOfTheSameAddressIsOne() {
    let url = "http://a.test/same"
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: url)
    _ = tracker.stop()
    tracker.askLoad(url: url)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    #expect(tracker.started(viewURL: url).count == 2)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    #expect(tracker.failed(LoadError(.cancelled, "cancelled"), url: url, isInterruption: true).isEmpty)
    #expect(tracker.finished().isEmpty)
    #expect(tracker.started(viewURL: url).isEmpty)
    #expect(tracker.mainResourceStarted(url: url).isEmpty)
    #expect(tracker.committed(viewURL: url) == [.committed(url: url)])
    #expect(tracker.finished() == [.finished(url: url)])
  }

  @Test func aLoadThatWasSentToTheProcessBeforeIsAskedForOnceMore() {
    let (older, ours) = ("http://a.test/older", "http://a.test/ours")
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: older)
    tracker.decided(url: older, viewURL: older, isRedirect: false)
    _ = tracker.started(viewURL: older)
    tracker.askLoad(url: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    // The older one's document comes, in another process; the view shows what was asked for.
    #expect(tracker.committed(viewURL: ours) == [.documentReplaced])
    #expect(tracker.askAgain() == true)
    #expect(tracker.finished(viewURL: ours).isEmpty)
    #expect(tracker.started(viewURL: older).isEmpty, "the new document's own; ours was not decided yet")
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    #expect(
      tracker.started(viewURL: ours) == [
        .willNavigate(url: ours, isRedirect: false), .started(url: ours),
      ])
    #expect(tracker.askAgain() == false)
  }

  @Test func aLoadThatWebKitDroppedGoesOnWithoutASecondStart() {
    let url = "http://a.test/ours"
    var tracker = shown("http://a.test/x")
    #expect(tracker.askDroppedAgain() == false)
    tracker.askLoad(url: url)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    _ = tracker.started(viewURL: url)
    #expect(tracker.askDroppedAgain() == true)
    #expect(tracker.finished(viewURL: "http://a.test/x", isLoading: false).isEmpty)
    #expect(tracker.isLoading && tracker.url == url)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    #expect(tracker.started(viewURL: url).isEmpty)
    #expect(tracker.committed(viewURL: url) == [.committed(url: url)])
    #expect(tracker.finished(viewURL: url, isLoading: false) == [.finished(url: url)])
  }

  @Test func aPageThatLoadsItselfAnewIsNotTakenForOurs() {
    let (own, ours) = ("http://a.test/x", "http://a.test/ours")
    var tracker = shown(own)
    tracker.askLoad(url: ours)
    tracker.decided(url: own, viewURL: own, isRedirect: false)
    #expect(tracker.started(viewURL: own).isEmpty && tracker.isAwaitingStart)
    // With credentials, of which WebKit says nothing.
    tracker.askLoad(url: "http://name:secret@a.test/x")
    tracker.decided(url: own, viewURL: own, isRedirect: false)
    #expect(tracker.started(viewURL: own).count == 2)
  }

  /// Nothing was requested for it: a rule blocks it.
  @Test func aNavigationThatFailsInThePlaceOfOursIsNotOurs() {
    let (own, ours) = ("http://a.test/own", "http://a.test/ours")
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    tracker.decided(url: own, viewURL: ours, isRedirect: false)
    _ = tracker.started(viewURL: ours)
    let error = LoadError(.blockedByContentRule, "")
    #expect(
      tracker.failed(error, url: own) == [
        .overtaken(url: ours), .willNavigate(url: own, isRedirect: false), .started(url: own),
        .failed(error, url: own),
      ])
  }

  /// For which WebKit gives up what is to take the document's place.
  @Test func aFragmentThatFailsInThePlaceOfOursIsReached() {
    let (own, ours) = ("http://a.test/x#h", "http://a.test/ours")
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    _ = tracker.started(viewURL: ours)
    tracker.decided(url: own, viewURL: ours, isRedirect: false)
    #expect(
      tracker.failed(LoadError(.cancelled, ""), url: own, isInterruption: true) == [
        .overtaken(url: ours), .sameDocumentNavigation(url: own),
      ])
    #expect(tracker.documentURL == own && !tracker.isLoading)
  }

  @Test func whatIsRequestedOtherwiseForTheSameAddressIsThePagesOwn() {
    let url = "http://a.test/ours"
    for isRepeatable in [true, false] {
      var tracker = shown("http://a.test/x")
      tracker.askEntry(url: url)
      tracker.decided(url: url, viewURL: url, isRedirect: false)
      _ = tracker.started(viewURL: url)
      #expect(tracker.failed(LoadError(.cancelled, ""), url: url, isInterruption: true).isEmpty)
      tracker.decided(url: url, viewURL: url, isRedirect: false)
      #expect(tracker.started(viewURL: url).isEmpty)
      let events = tracker.mainResourceStarted(url: url, isRepeatable: isRepeatable)
      #expect(events.first == (isRepeatable ? nil : .overtaken(url: url)))
    }
  }

  @Test func aLoadThatWasStoppedDoesNotBegin() {
    let (ours, shown) = ("http://a.test/ours", "http://a.test/x")
    var tracker = self.shown(shown)
    tracker.askLoad(url: ours)
    #expect(tracker.stop().count == 1)
    #expect(tracker.decided(url: "http://a.test/pages", viewURL: ours, isRedirect: false) == true)
    #expect(tracker.decided(url: ours, viewURL: ours, isRedirect: false) == false)
    #expect(tracker.decided(url: ours, viewURL: shown, isRedirect: false) == true, "the page's own")
    tracker.askLoad(url: ours)
    _ = tracker.stop()
    tracker.askLoad(url: ours)
    #expect(tracker.decided(url: ours, viewURL: ours, isRedirect: false) == true)
  }

  @Test func aStepInTheHistoryIsNotReachedByADocumentOfThePages() {
    var tracker = shown("http://a.test/x")
    tracker.askHistory(url: "http://a.test/before")
    _ = tracker.started(viewURL: "http://a.test/x")
    tracker.historyChanged(isAtTarget: true)
    _ = tracker.addressChanged(viewURL: "http://a.test/pages")
    _ = tracker.committed(viewURL: "http://a.test/pages")
    #expect(tracker.mayBeLost)
    guard case .overtaken("http://a.test/before", _)? = tracker.lost().first else {
      Issue.record("the step is told to have come off")
      return
    }
    #expect(tracker.url == "http://a.test/pages")
  }

  @Test func aPlaceThatThePageGoesToIsNotTheStepsInTheHistory() {
    for (step, isReached) in [("http://a.test/before", false), ("http://a.test/x", true)] {
      var tracker = shown("http://a.test/x")
      tracker.askHistory(url: step)
      tracker.historyChanged(isAtTarget: true)
      _ = tracker.addressChanged(viewURL: "http://a.test/x#hash")
      let told = tracker.lost()
      if case .sameDocumentNavigation? = told.first {
        #expect(isReached)
      } else {
        #expect(!isReached)
      }
      #expect(tracker.url == "http://a.test/x#hash")
    }
  }

  @Test func aLoadThatIsCancelledForGoodIsToldWhenNothingLoads() {
    let url = "http://a.test/ours"
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: url)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    _ = tracker.started(viewURL: url)
    let error = LoadError(.cancelled, "cancelled")
    #expect(tracker.failed(error, url: url, isInterruption: true).isEmpty)
    #expect(tracker.loadingEnded(viewURL: "http://a.test/x") == [.failed(error, url: url)])
    #expect(!tracker.isLoading)
  }

  @Test func whatThePageGoesToInsteadOfALoadTakesItsPlace() {
    let (document, pages) = ("http://a.test/x", "http://a.test/pages")
    for isCommitted in [false, true] {
      // A committed one may even be loaded again.
      let ours = isCommitted ? pages : "http://a.test/ours"
      var tracker = shown(document)
      tracker.askLoad(url: ours)
      tracker.decided(url: ours, viewURL: ours, isRedirect: false)
      _ = tracker.started(viewURL: ours)
      if isCommitted { _ = tracker.committed(viewURL: ours) }
      let error = LoadError(.cancelled, "cancelled")
      #expect(tracker.failed(error, url: ours, isInterruption: true).isEmpty)
      #expect(tracker.finished(viewURL: document, isLoading: false).isEmpty)
      tracker.decided(url: pages, viewURL: document, isRedirect: false)
      #expect(tracker.started(viewURL: document).isEmpty)
      #expect(tracker.interruptionEnded(viewURL: document).isEmpty)
      #expect(
        tracker.mainResourceStarted(url: pages) == [
          .overtaken(url: ours), .willNavigate(url: pages, isRedirect: false), .started(url: pages),
        ])
      #expect(tracker.committed(viewURL: pages) == [.committed(url: pages)])
    }
  }

  @Test func aFragmentThatThePageGoesToInsteadOfALoadTakesItsPlace() {
    let (document, ours) = ("http://a.test/x", "http://a.test/ours")
    var tracker = shown(document)
    tracker.askLoad(url: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    _ = tracker.started(viewURL: ours)
    _ = tracker.addressChanged(viewURL: document)
    #expect(tracker.failed(LoadError(.cancelled, ""), url: ours, isInterruption: true).isEmpty)
    #expect(
      tracker.addressChanged(viewURL: document + "#f") == [
        .overtaken(url: ours), .sameDocumentNavigation(url: document + "#f"),
      ])
    #expect(!tracker.isLoading && tracker.url == document + "#f")
  }

  @Test func aLoadThatThePageGivesUpForNothingIsCancelled() {
    let (document, ours) = ("http://a.test/x", "http://a.test/ours")
    var tracker = shown(document)
    tracker.askLoad(url: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    _ = tracker.started(viewURL: ours)
    let error = LoadError(.cancelled, "cancelled")
    #expect(tracker.failed(error, url: ours, isInterruption: true).isEmpty)
    #expect(tracker.finished(viewURL: document, isLoading: false).isEmpty)
    #expect(tracker.isLoading)
    #expect(tracker.interruptionEnded(viewURL: document) == [.failed(error, url: ours)])
    #expect(tracker.interruptionEnded(viewURL: document).isEmpty)
    #expect(!tracker.isLoading && tracker.url == document)
  }

  @Test func aDocumentThatIsOpenedAnewTakesThePlaceOfALoad() {
    let (document, ours) = ("http://a.test/x", "http://a.test/ours")
    for isCommitted in [false, true] {
      var tracker = shown(document)
      tracker.askLoad(url: ours)
      tracker.decided(url: ours, viewURL: ours, isRedirect: false)
      _ = tracker.started(viewURL: ours)
      if isCommitted { _ = tracker.committed(viewURL: ours) }
      let error = LoadError(.cancelled, "cancelled")
      #expect(tracker.failed(error, url: ours, isInterruption: true).isEmpty)
      tracker.noteOpening()
      let told = tracker.interruptionEnded(viewURL: document)
      #expect(told == [isCommitted ? .failed(error, url: ours) : .overtaken(url: ours)])
      #expect((tracker.overtakenLoad?.url == ours) != isCommitted)
      #expect(!tracker.isLoading)
    }
  }

  private func shown(_ url: String) -> NavigationTracker { .showing(url) }
}
