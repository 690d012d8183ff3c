import Foundation
import Testing
import WebViewTesting

@testable import WebViewCore

/// The engine's raw sequences, as measured, and what clients hear of each.
@Suite struct NavigationMachineTests {
  private let n1 = NavigationID(number: 1)
  private let n2 = NavigationID(number: 2)
  private let now = Date(timeIntervalSince1970: 1_000)
  private let a = "http://site.test/a"
  private let b = "http://site.test/b"

  private func machine(limit: Int = 256) -> NavigationMachine { NavigationMachine(limit: limit) }

  private func tell(_ machine: inout NavigationMachine, _ events: [EnginePageEvent]) -> [NavigationStep] {
    events.flatMap { machine.event($0, now: now) }
  }
  private func starting(_ url: String) -> [EnginePageEvent] {
    [.willNavigate(url: url, isRedirect: false), .started(url: url)]
  }
  private func answered(_ url: String, _ status: Int?) -> EnginePageEvent {
    .responded(
      MainResourceResponse(url: url, status: status, headers: [], mimeType: "text/html", encoding: nil))
  }
  private func loaded(_ id: NavigationID) -> [NavigationStep] {
    [.started(id), .committed(id), .documentReplaced, .domContentLoaded(id), .ended(id)]
  }

  @Test func simpleLoadFinishes() {
    var machine = machine()
    #expect(machine.begin(.load, url: a, now: now).steps == [])
    #expect(tell(&machine, EnginePageEvent.simpleLoad(a)) == loaded(n1))
    #expect(machine[n1]?.outcome == .finished)
    #expect(machine[n1]?.response?.status == 200)
    #expect(machine.running == nil)
  }

  @Test func aNotFoundPageIsAFinishedLoad() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, EnginePageEvent.simpleLoad(a, status: 404))
    #expect(machine[n1]?.outcome == .finished)
    #expect(machine[n1]?.response?.status == 404)
  }

  @Test func redirectsAreHopsOfOneNavigation() {
    var machine = machine()
    _ = machine.begin(.load, url: b, now: now)
    let steps = tell(
      &machine,
      starting(b) + [
        .willNavigate(url: a, isRedirect: true), .redirected(url: a, status: 302, from: b), answered(a, 200),
        .committed(url: a), .domContentLoaded, .finished(url: a),
      ])
    #expect(
      steps == [
        .started(n1), .redirected(n1, to: a, status: 302), .committed(n1), .documentReplaced,
        .domContentLoaded(n1),
        .ended(n1),
      ])
    #expect(machine[n1]?.url == a)
    #expect(machine[n1]?.redirects == [.init(url: b, status: 302, kind: .http)])
  }

  @Test func redirectLoopFails() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let hop: [EnginePageEvent] = [
      .willNavigate(url: a, isRedirect: true), .redirected(url: a, status: 302, from: a),
    ]
    let loop = (0..<20).flatMap { _ in hop } + [.failed(LoadError(.tooManyRedirects, "…"), url: a)]
    _ = tell(&machine, starting(a) + loop)
    #expect(machine[n1]?.outcome == .failed)
    #expect(machine[n1]?.error?.code == .tooManyRedirects)
    #expect(machine[n1]?.redirects.count == 20)
  }

  @Test(arguments: [
    LoadError.Code.cannotConnect, .cannotFindHost, .connectionLost, .unsupportedURL, .fileNotFound, .tlsError,
  ])
  func failuresKeepTheirCodeAndTheOldDocument(code: LoadError.Code) {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let steps = tell(&machine, starting(a) + [.failed(LoadError(code, "…"), url: a)])
    #expect(steps == [.started(n1), .ended(n1)])
    #expect(machine[n1]?.outcome == .failed)
    #expect(machine[n1]?.error?.code == code)
  }

  @Test(arguments: [204, 205]) func anAnswerWithoutContentIsNoContent(status: Int) {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let steps = tell(
      &machine, starting(a) + [answered(a, status), .failed(LoadError(.cancelled, "interrupted"), url: a)])
    #expect(steps == [.started(n1), .ended(n1)])
    #expect(machine[n1]?.outcome == .noContent)
  }

  @Test func whatTheAskerHasAlreadyIsNoContentAndNoFailure() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let refusal = LoadError(.cannotShowMIMEType, "…")
    _ = tell(&machine, starting(a) + [answered(a, 304), .responseRefused(refusal, url: a)])
    #expect(machine[n1]?.outcome == .noContent)
  }

  @Test func aTypeThatCannotBeShownFails() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let refusal = LoadError(.cannotShowMIMEType, "…")
    _ = tell(&machine, starting(a) + [answered(a, 200), .responseRefused(refusal, url: a)])
    #expect(machine[n1]?.outcome == .failed)
    #expect(machine[n1]?.error == refusal)
  }

  @Test func contentOfATypeThatCannotBeShownFailsWithoutAStart() {
    var machine = machine()
    _ = machine.begin(.load, url: "about:blank", now: now)
    let steps = tell(&machine, [.responseRefused(LoadError(.cannotShowMIMEType, "…"), url: "about:blank")])
    #expect(steps == [.started(n1), .ended(n1)])
  }

  @Test func aBlockedPortNeverLooksFinishedAndTakesTheDocumentAway() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let steps = tell(&machine, starting(a) + [.failed(LoadError(.blockedByPolicy, "…"), url: a)])
    #expect(steps == [.started(n1), .ended(n1), .documentReplaced])
    #expect(machine[n1]?.outcome == .failed)
  }

  @Test func contentFinishesWithoutAResponse() {
    var machine = machine()
    _ = machine.begin(.load, url: "about:blank", now: now)
    let steps = tell(
      &machine,
      starting("about:blank") + [
        .committed(url: "about:blank"), .domContentLoaded, .finished(url: "about:blank"),
      ])
    #expect(steps == loaded(n1))
    #expect(machine[n1]?.response == nil)
  }

  @Test func aHistoryStepFromThePageCacheFinishesWithoutItsDOMEvent() {
    var machine = machine()
    _ = machine.begin(.history, url: b, now: now)
    let steps = tell(&machine, starting(a) + [.committed(url: a), .finished(url: a)])
    #expect(steps == [.started(n1), .committed(n1), .documentReplaced, .ended(n1)])
    #expect(machine[n1]?.url == a)
  }

  @Test func aHistoryStepWithinTheDocumentIsSameDocumentWithoutLoadEvents() {
    var machine = machine()
    _ = machine.begin(.history, url: a, now: now)
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#x")]) == [.ended(n1)])
    #expect(machine[n1]?.outcome == .sameDocument)
    #expect(machine[n1]?.outcome?.isLoaded == true)
  }

  @Test func ourLoadOfAFragmentIsSameDocument() {
    var machine = machine()
    _ = machine.begin(.load, url: a + "#x", now: now)
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#x")]) == [.ended(n1)])
    #expect(machine[n1]?.outcome == .sameDocument)
  }

  @Test func theOldDocumentsOwnFragmentIsNotOurLoad() {
    var machine = machine()
    _ = machine.begin(.load, url: b, now: now)
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#own")]) == [])
    #expect(tell(&machine, EnginePageEvent.simpleLoad(b)) == loaded(n1))
  }

  @Test func aPagesFragmentIsANavigationThatNoWaitMeans() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, EnginePageEvent.simpleLoad(a))
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#x")]) == [.ended(n2)])
    #expect(machine.records.lastLoad == n1)
    #expect(machine.records.first(after: n1) == n2)
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#x")]) == [], "replaceState with the same URL")
  }

  @Test func aFragmentDuringALoadChangesNothing() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, starting(a) + [.committed(url: a), .sameDocumentNavigation(url: a + "#x")])
    #expect(machine.running == n1)
    #expect(tell(&machine, [.finished(url: a + "#x")]) == [.ended(n1)])
  }

  @Test func aRedirectToAPlaceInTheDocumentEndsThere() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(
      &machine,
      starting(a) + [.sameDocumentNavigation(url: a), .redirected(url: a + "#x", status: 303, from: a)])
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#y")]) == [])
    #expect(tell(&machine, [.sameDocumentNavigation(url: a + "#x")]) == [.ended(n1)])
    #expect(machine[n1]?.outcome == .sameDocument && machine.running == nil)
  }

  @Test func aNewerLoadReplacesTheOlderAtOnce() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, starting(a))
    #expect(machine.begin(.load, url: b, now: now).steps == [.ended(n1)])
    #expect(machine[n1]?.outcome == .replaced)
    #expect(tell(&machine, EnginePageEvent.simpleLoad(b)) == loaded(n2))
  }

  @Test func aLoadReplacedBeforeItStartedIsToldWithBothEvents() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    #expect(machine.begin(.load, url: a, now: now).steps == [.started(n1), .ended(n1)])
  }

  @Test func stopEndsTheLoadAndItsLateFailureIsIgnored() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, starting(a))
    #expect(machine.stop(now: now) == [.ended(n1)])
    #expect(machine[n1]?.outcome == .stopped)
    #expect(tell(&machine, [.failed(LoadError(.cancelled, "…"), url: a)]) == [])
    #expect(machine[n1]?.outcome == .stopped)
    #expect(machine.stop(now: now) == [])
  }

  @Test func theEndOfAStoppedLoadIsNotTheNextOnes() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = machine.stop(now: now)
    _ = machine.begin(.load, url: b, now: now)
    #expect(tell(&machine, [.failed(LoadError(.cancelled, "…"), url: a)]) == [])
    #expect(tell(&machine, EnginePageEvent.simpleLoad(b)) == loaded(n2))
  }

  @Test func aLoadThatThePageStopsBeforeItsStartIsCancelled() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    #expect(tell(&machine, [.failed(LoadError(.cancelled, "…"), url: a)]) == [.started(n1), .ended(n1)])
    #expect(machine[n1]?.outcome == .cancelled)
  }

  @Test func stopAfterCommitKeepsTheDocument() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, starting(a) + [.committed(url: a)])
    #expect(machine.stop(now: now) == [.ended(n1)])
    #expect(tell(&machine, [.failed(LoadError(.cancelled, "…"), url: a)]) == [])
  }

  @Test func thePageTakesALoadsPlace() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let steps = tell(
      &machine, starting(a) + [.overtaken(url: a)] + EnginePageEvent.simpleLoad(b))
    #expect(steps == [.started(n1), .ended(n1)] + loaded(n2))
    #expect(machine[n1]?.outcome == .replaced && machine[n1]?.error?.code == .cancelled)
    #expect(machine[n2]?.outcome == .finished)
  }

  @Test func aPagesStartWithoutTheOldLoadsEndReplacesIt() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let steps = tell(&machine, starting(a) + [.committed(url: a)] + starting(b))
    #expect(steps == [.started(n1), .committed(n1), .documentReplaced, .ended(n1), .started(n2)])
    #expect(machine[n1]?.outcome == .replaced)
    #expect(machine[n2]?.url == b)
  }

  @Test func aClientRedirectIsANavigationOfItsOwn() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    let steps = tell(&machine, EnginePageEvent.simpleLoad(a) + EnginePageEvent.simpleLoad(b))
    #expect(steps == loaded(n1) + loaded(n2))
  }

  @Test func aPagesNavigationIsCalledByItsAnnouncedURLEvenWhereTheStartNamesTheOldOne() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(
      &machine, EnginePageEvent.simpleLoad(a) + [.willNavigate(url: b, isRedirect: false), .started(url: a)])
    #expect(machine[n2]?.url == b)
  }

  @Test func theEndOfTheProcessEndsTheRunningNavigation() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    #expect(tell(&machine, starting(a) + [.processTerminated(.crashed)]) == [.started(n1), .ended(n1)])
    #expect(machine[n1]?.outcome == .processTerminated)
    #expect(tell(&machine, [.processTerminated(.crashed)]) == [])
  }

  @Test func aLoadThatWaitsForANewProcessOutlivesTheOldOne() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    #expect(machine.processTerminated(sparing: n1, now: now) == [])
    #expect(tell(&machine, EnginePageEvent.simpleLoad(a)) == loaded(n1))
  }

  @Test func theInternalBlankPageIsNoNavigation() {
    var machine = machine()
    let blank = EnginePageEvent.simpleLoad("about:blank")
    #expect(tell(&machine, blank) == [])
    #expect(machine.records.isEmpty)
    _ = machine.begin(.load, url: "about:blank", now: now)
    #expect(tell(&machine, blank) == loaded(n1), "asked for, it is one")
  }

  @Test func disposalEndsTheRunningNavigation() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    _ = tell(&machine, starting(a))
    #expect(machine.dispose(now: now) == [.ended(n1)])
    #expect(machine[n1]?.outcome == .disposed)
  }

  @Test func onlyTheLastNavigationsAreKept() {
    var machine = machine(limit: 2)
    for _ in 0..<3 {
      _ = machine.begin(.load, url: a, now: now)
      _ = tell(&machine, EnginePageEvent.simpleLoad(a))
    }
    #expect(machine[n1] == nil)
    #expect(machine[n2] != nil)
    #expect(machine.records.wasIssued(n1))
    #expect(!machine.records.wasIssued(NavigationID(number: 4)))
  }

  @Test func timingsCountFromTheStart() {
    var machine = machine()
    _ = machine.begin(.load, url: a, now: now)
    for (offset, event) in EnginePageEvent.simpleLoad(a).enumerated() {
      _ = machine.event(event, now: now.addingTimeInterval(Double(offset)))
    }
    #expect(machine[n1]?.timings.commit == 3)
    #expect(machine[n1]?.timings.domContentLoaded == 4)
    #expect(machine[n1]?.timings.finish == 5)
  }

  /// Whatever the engine tells, in whatever order: every navigation is announced at most once, ends exactly
  /// once, and never speaks after its end.
  @Test(arguments: 0..<50) func everyNavigationEndsExactlyOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var machine = machine(limit: 10_000)
    var ended: [NavigationID: Int] = [:]
    var started: [NavigationID: Int] = [:]
    var isSpokenOfAfterItsEnd = false
    let urls = [a, b, a + "#x", "about:blank", ""]
    func note(_ steps: [NavigationStep]) {
      for step in steps {
        switch step {
        case .ended(let id): ended[id, default: 0] += 1
        case .started(let id):
          started[id, default: 0] += 1
          isSpokenOfAfterItsEnd = isSpokenOfAfterItsEnd || ended[id] != nil
        case .committed(let id), .redirected(let id, _, _), .domContentLoaded(let id):
          isSpokenOfAfterItsEnd = isSpokenOfAfterItsEnd || ended[id] != nil
        case .documentReplaced: break
        }
      }
    }
    for _ in 0..<400 {
      let url = urls.randomElement(using: &random) ?? a
      switch Int.random(in: 0..<18, using: &random) {
      case 0: note(machine.begin(.load, url: url, now: now).steps)
      case 1: note(machine.begin(.history, url: url, now: now).steps)
      case 2: note(machine.begin(.reload, url: url, now: now).steps)
      case 3: note(machine.stop(now: now))
      case 4: note(machine.event(.processTerminated(.crashed), now: now))
      case 5: note(machine.processTerminated(sparing: machine.running, now: now))
      case 6: note(machine.event(.willNavigate(url: url, isRedirect: false), now: now))
      case 7, 8: note(machine.event(.started(url: url), now: now))
      case 9: note(machine.event(.redirected(url: url, status: 302, from: a), now: now))
      case 10: note(machine.event(answered(url, [200, 204].randomElement(using: &random) ?? 200), now: now))
      case 11: note(machine.event(.committed(url: url), now: now))
      case 12: note(machine.event(.domContentLoaded, now: now))
      case 13: note(machine.event(.finished(url: url), now: now))
      case 14: note(machine.event(.failed(LoadError(.cancelled, "…"), url: url), now: now))
      case 15: note(machine.event(.overtaken(url: url), now: now))
      case 16: note(machine.event(.restarted(redirects: 1), now: now))
      default: note(machine.event(.sameDocumentNavigation(url: url), now: now))
      }
    }
    note(machine.dispose(now: now))
    #expect(machine.running == nil)
    #expect(!isSpokenOfAfterItsEnd)
    var id = n1
    while machine[id] != nil {
      #expect(ended[id] == 1, "navigation \(id)")
      #expect(started[id] ?? 0 == (machine[id]?.outcome == .sameDocument ? started[id] ?? 0 : 1))
      #expect(machine[id]?.outcome != nil)
      id = NavigationID(number: id.number + 1)
    }
  }
}
