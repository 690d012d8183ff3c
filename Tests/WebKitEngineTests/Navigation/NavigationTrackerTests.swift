import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct NavigationTrackerTests {
  @Test func aStartThatWasOnItsWayIsNotTheNewerLoads() {
    var tracker = NavigationTracker()
    tracker.askLoad(url: "http://x/1")
    tracker.decided(url: "http://x/1", viewURL: "http://x/1", isRedirect: false)
    tracker.askLoad(url: "http://x/2")
    #expect(tracker.started(viewURL: "http://x/2").isEmpty)
    #expect(tracker.failed(LoadError(.cancelled, ""), url: "http://x/1").isEmpty)
    #expect(tracker.finished().isEmpty)
    tracker.decided(url: "http://x/2", viewURL: "http://x/2", isRedirect: false)
    #expect(
      tracker.started(viewURL: "http://x/2") == [
        .willNavigate(url: "http://x/2", isRedirect: false), .started(url: "http://x/2"),
      ])
  }

  @Test func aStoppedLoadThatStartsAfterAllIsSilent() {
    var tracker = NavigationTracker()
    tracker.askLoad(url: "http://x/1")
    tracker.decided(url: "http://x/1", viewURL: "http://x/1", isRedirect: false)
    #expect(tracker.stop().count == 1)
    #expect(tracker.started(viewURL: "http://x/1").isEmpty)
    #expect(tracker.mainResourceStarted(url: "http://x/1").isEmpty)
    #expect(tracker.failed(LoadError(.cancelled, ""), url: "http://x/1").isEmpty)
    #expect(tracker.finished().isEmpty)
    #expect(!tracker.isLoading && tracker.url == nil)
  }

  @Test func theDocumentsAddressIsKeptWhenItsProcessGoes() {
    var tracker = NavigationTracker()
    tracker.askLoad(url: "http://x/1")
    #expect(tracker.url == "http://x/1" && tracker.isLoading)
    #expect(tracker.processTerminated(.crashed) == [.processTerminated(.crashed)])
    #expect(tracker.addressChanged(viewURL: "").isEmpty)
    #expect(tracker.url == "http://x/1" && !tracker.isLoading)
  }

  /// Whatever WebKit signals in whatever order: a start has at most one end, no end comes twice, and the
  /// steps of a navigation come only between.
  @Test(arguments: 0..<200) func storiesAreWellFormed(seed: UInt64) {
    var generator = Numbers(state: seed)
    var tracker = NavigationTracker()
    var isOpen = false
    for _ in 0..<400 {
      let url = ["http://x/1", "http://x/1#f", "http://x/2", "about:blank"].randomElement(using: &generator)!
      let isCommand = Int.random(in: 0..<4, using: &generator) == 0
      let isAsked = isCommand && Bool.random(using: &generator)
      if isAsked {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: tracker.askLoad(url: url)
        case 1: tracker.askContent(url: url)
        case 2: tracker.askReload()
        default: tracker.askHistory(url: url)
        }
        // A newer load replaces the older at its call; the core knows without being told.
        isOpen = false
        #expect(tracker.isLoading)
        continue
      }
      for event in signal(&tracker, url, &generator) {
        switch event {
        case .started:
          #expect(!isOpen)
          isOpen = true
        case .finished:
          #expect(isOpen)
          isOpen = false
        case .failed, .overtaken, .responseRefused, .processTerminated: isOpen = false
        case .redirected, .responded, .committed, .domContentLoaded: #expect(isOpen)
        case .willNavigate, .sameDocumentNavigation, .stateChanged, .historyChanged, .handedOver,
          .documentReplaced, .restarted:
          break
        }
      }
      #expect(isOpen ? tracker.isLoading : true)
    }
  }

  private func signal(
    _ tracker: inout NavigationTracker, _ url: String, _ generator: inout Numbers
  ) -> [EnginePageEvent] {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: return tracker.started(viewURL: url)
    case 1: return tracker.mainResourceStarted(url: url)
    case 2: return tracker.redirected(viewURL: url)
    case 3:
      let response = MainResourceResponse(url: url, status: 200, headers: [], mimeType: nil, encoding: nil)
      return tracker.responded(response, refusal: Bool.random(using: &generator) ? nil : .cannotShow("x/y"))
    case 4: return tracker.committed(viewURL: url)
    case 5: return tracker.domContentLoaded()
    case 6: return tracker.finished()
    case 7:
      return tracker.failed(
        LoadError(.other, ""), url: url, isInterruption: Bool.random(using: &generator))
    case 8: return tracker.loadingEnded(viewURL: url)
    case 9: return tracker.addressChanged(viewURL: url)
    case 10: return tracker.stop()
    case 11: return Int.random(in: 0..<8, using: &generator) == 0 ? tracker.processTerminated(.crashed) : []
    case 12:
      tracker.historyChanged(isAtTarget: true)
      return []
    default:
      tracker.decided(url: url, viewURL: url, isRedirect: Bool.random(using: &generator))
      return []
    }
  }

  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) ^ (state << 31)
    }
  }
}
