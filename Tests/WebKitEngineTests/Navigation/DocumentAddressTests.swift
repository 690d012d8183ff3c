import Testing
import WebViewCore

@testable import WebKitEngine

/// Whose address is told, where the view shows that of a load that came to nothing.
@Suite struct DocumentAddressTests {
  @Test func theAddressOfALoadThatFailsIsNotTheDocuments() {
    let (older, ours) = ("http://a.test/older", "http://a.test/ours")
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: older)
    tracker.decided(url: older, viewURL: older, isRedirect: false)
    _ = tracker.started(viewURL: older)
    tracker.askLoad(url: ours)
    // The older one's document, while the view shows what was asked for.
    _ = tracker.committed(viewURL: ours)
    tracker.decided(url: ours, viewURL: ours, isRedirect: false)
    _ = tracker.started(viewURL: ours)
    #expect(tracker.failed(LoadError(.other, "no content"), url: ours).count == 1)
    #expect(tracker.finished(viewURL: older, isLoading: false).isEmpty)
    #expect(tracker.url == older)
    #expect(tracker.document.isDoubted)
  }

  @Test func theAddressOfALoadThatWasStoppedIsNotTheDocuments() {
    let shown = "http://a.test/x"
    var tracker = self.shown(shown)
    #expect(tracker.loadingEnded(viewURL: shown).isEmpty && !tracker.document.isDoubted)
    tracker.askLoad(url: "http://a.test/first")
    tracker.askLoad(url: "http://a.test/second")
    _ = tracker.stop()
    // The view goes on to show what it was given last.
    #expect(tracker.loadingEnded(viewURL: "http://a.test/second").isEmpty)
    #expect(tracker.url == shown && tracker.document.isDoubted)
    #expect(tracker.document.told(shown) == false)
    #expect(tracker.url == shown && !tracker.document.isDoubted)
  }

  @Test func aStepWithinTheDocumentRightBehindAnotherLoadIsLookedAt() {
    var tracker = shown("http://a.test/x#2")
    tracker.askLoad(url: "http://a.test/other")
    tracker.askHistory(url: "http://a.test/x")
    tracker.historyChanged(isAtTarget: true)
    _ = tracker.addressChanged(viewURL: "http://a.test/x")
    #expect(tracker.document.isDoubted)
    #expect(tracker.document.told("http://a.test/x#2") == true)
    #expect(tracker.url == "http://a.test/x#2" && !tracker.document.isDoubted)
  }

  @Test func theAddressThatComesWithoutALoadIsLookedAt() {
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: "http://a.test/ours")
    // Stopped before WebKit was given it.
    _ = tracker.stop()
    #expect(tracker.addressChanged(viewURL: "http://a.test/pushed").isEmpty)
    #expect(tracker.document.isDoubted && tracker.url == "http://a.test/x")
    #expect(tracker.document.told("http://a.test/pushed") == true)
    #expect(tracker.url == "http://a.test/pushed")
  }

  @Test func thePageGoesToAnotherPlaceAfterALoadThatWasStopped() {
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: "http://a.test/ours")
    _ = tracker.stop()
    #expect(tracker.loadingEnded(viewURL: "http://a.test/x").isEmpty)
    let moved = "http://a.test/pushed"
    #expect(tracker.addressChanged(viewURL: moved) == [.sameDocumentNavigation(url: moved)])
    #expect(tracker.url == moved)
  }

  @Test func aDocumentThatComesAllTheSameIsThere() {
    var tracker = shown("http://a.test/x#2")
    tracker.askHistory(url: "http://a.test/x")
    #expect(tracker.started(viewURL: "http://a.test/x#2").isEmpty, "of the page's own, a moment before")
    tracker.historyChanged(isAtTarget: true)
    _ = tracker.addressChanged(viewURL: "http://a.test/x")
    #expect(tracker.committed(viewURL: "http://a.test/pages") == [.documentReplaced])
    #expect(tracker.url == "http://a.test/pages")
    #expect(tracker.document.isDoubted)
    #expect(tracker.document.told("http://a.test/pages") == false)
    #expect(tracker.finished(viewURL: "http://a.test/x", isLoading: true).isEmpty)
    #expect(tracker.url == "http://a.test/pages" && !tracker.document.isDoubted)
  }

  @Test func aDocumentTellsItsAddressWhereTheViewDoesNot() {
    var tracker = shown("http://a.test/x")
    tracker.askLoad(url: "http://a.test/older")
    tracker.askLoad(url: "http://a.test/ours")
    _ = tracker.committed(viewURL: "http://a.test/ours")
    _ = tracker.stop()
    #expect(tracker.loadingEnded(viewURL: "http://a.test/ours").isEmpty)
    #expect(tracker.document.isDoubted)
    #expect(tracker.document.told("http://a.test/older") == true)
    #expect(tracker.url == "http://a.test/older")
    #expect(tracker.document.told("http://a.test/late") == false, "nobody asked")
  }

  private func shown(_ url: String) -> NavigationTracker { .showing(url) }
}

extension NavigationTracker {
  /// With a document, and nothing under way.
  static func showing(_ url: String) -> NavigationTracker {
    var tracker = NavigationTracker()
    tracker.askLoad(url: url)
    tracker.decided(url: url, viewURL: url, isRedirect: false)
    _ = tracker.started(viewURL: url)
    _ = tracker.committed(viewURL: url)
    _ = tracker.finished()
    return tracker
  }
}
