import Testing
import WebViewCore

@testable import WebKitEngine

/// Steps in the history, and what they do to loads.
@Suite struct NavigationStepTests {
  @Test func aStepWithinGivenContentIsMadeOnceMoreToLeaveIt() {
    let (given, entry) = ("http://a.test/given", "http://b.test/before")
    for leavesGiven in [true, false] {
      var tracker = NavigationTracker()
      tracker.askContent(url: given)
      tracker.decided(url: given, viewURL: given, isRedirect: false)
      _ = tracker.started(viewURL: given)
      _ = tracker.committed(viewURL: given)
      _ = tracker.finished(viewURL: given, isLoading: false)
      tracker.askHistory(url: entry, leavesGiven: leavesGiven)
      tracker.historyChanged(isAtTarget: true)
      let reached: [EnginePageEvent] = [.sameDocumentNavigation(url: entry)]
      #expect(tracker.addressChanged(viewURL: entry) == (leavesGiven ? [] : reached))
      #expect(tracker.askStepAgain() == leavesGiven)
      #expect(tracker.askStepAgain() == false)
      guard leavesGiven else { continue }
      var moving = tracker
      moving.historyChanged(isAtTarget: true)
      #expect(
        moving.addressChanged(viewURL: entry) == [.overtaken(url: entry, isStubborn: true)],
        "the content moves all the time")
      tracker.decided(url: entry, viewURL: entry, isRedirect: false)
      #expect(tracker.started(viewURL: entry).count == 2)
      #expect(tracker.committed(viewURL: entry) == [.committed(url: entry)])
    }
  }

  @Test func whatTakesThePlaceOfAStepIsKnownTo() {
    var tracker = NavigationTracker.showing("http://a.test/x")
    tracker.askHistory(url: "http://a.test/before")
    tracker.askLoad(url: "http://a.test/1")
    #expect(tracker.asked?.takesPlaceOfStep == true)
    tracker.askContent(url: "http://a.test/2")
    #expect(tracker.asked?.takesPlaceOfStep == true, "the one between was not begun either")
    tracker.askHistory(url: "http://a.test/before")
    #expect(tracker.asked?.takesPlaceOfStep == false)
    tracker.decided(url: "http://a.test/before", viewURL: "http://a.test/before", isRedirect: false)
    _ = tracker.started(viewURL: "http://a.test/before")
    tracker.askReload()
    #expect(tracker.asked?.takesPlaceOfStep == true)
    _ = tracker.stop()
    tracker.askLoad(url: "http://a.test/3")
    #expect(tracker.asked?.takesPlaceOfStep == false)
    // One of the page's own.
    for isStep in [true, false] {
      tracker = .showing("http://a.test/x")
      tracker.decided(
        url: "http://a.test/before", viewURL: "http://a.test/x", isRedirect: false, isStep: isStep)
      _ = tracker.started(viewURL: "http://a.test/before")
      tracker.askLoad(url: "http://a.test/4")
      #expect(tracker.asked?.takesPlaceOfStep == isStep)
    }
  }

  @Test func aLoadThatAStepInTheHistorySupersedesDoesNotBegin() {
    let (ours, shown) = ("http://a.test/ours", "http://a.test/x")
    var tracker = NavigationTracker.showing(shown)
    tracker.askLoad(url: ours)
    tracker.askHistory(url: shown)
    tracker.historyChanged(isAtTarget: true)
    #expect(tracker.decided(url: ours, viewURL: ours, isRedirect: false) == false)
    #expect(tracker.loadingEnded(viewURL: shown) == [.sameDocumentNavigation(url: shown)])
    #expect(!tracker.isLoading)
  }
}
