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
    #expect(tracker.committed(viewURL: "about:blank").isEmpty)
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
    tracker.historyChanged()
    #expect(tracker.addressChanged(viewURL: "http://a.test/x#3").isEmpty)
    tracker.historyChanged()
    #expect(
      tracker.addressChanged(viewURL: "http://a.test/x") == [.sameDocumentNavigation(url: "http://a.test/x")])
    #expect(!tracker.isLoading)
  }

  @Test func anotherHistoryEntryIsNotReachedByAFragmentOfTheOldDocument() {
    var tracker = shown("http://a.test/x")
    tracker.askHistory(url: "http://a.test/before")
    tracker.historyChanged()
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

  private func shown(_ url: String) -> NavigationTracker {
    var tracker = NavigationTracker()
    tracker.askLoad(url: url)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    _ = tracker.started(viewURL: url)
    _ = tracker.committed(viewURL: url)
    _ = tracker.finished()
    return tracker
  }
}
