import Testing
import WebViewCore

@testable import WebKitEngine

/// Orders of WebKit's signals that depend on how busy the machine is.
@Suite struct NavigationTrackerTests {
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
}
