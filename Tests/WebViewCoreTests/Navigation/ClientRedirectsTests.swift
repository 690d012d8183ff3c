import Foundation
import Testing
import WebViewTesting

@testable import WebViewCore

@Suite struct ClientRedirectsTests {
  @Test(
    arguments: [
      ("0", 0), ("0; url=/a", 0), ("  5;url=/a", 5), ("1.5, /a", 1.5), (".5 /a", 0.5), ("2.;u", 2),
      ("1.5.2; /a", 1.5), ("300", 300),
    ] as [(String, Double)])
  func refreshesHaveTheirSeconds(text: String, seconds: Double) {
    #expect(ClientRedirects.refreshDelay(text) == seconds)
  }

  @Test(arguments: ["", " ", "x", "-1; url=/a", "url=/a", "5x"])
  func whatHasNoSecondsRefreshesNothing(text: String) {
    #expect(ClientRedirects.refreshDelay(text) == nil)
  }

  private enum Moment: CaseIterable { case whileItLoads, afterItsLoad, afterItsTime }

  /// What the machine makes of a navigation of the document's own.
  private func cause(
    _ moment: Moment, isUserInitiated: Bool = false
  ) -> (first: NavigationID, cause: NavigationID?) {
    var machine = NavigationMachine(limit: 8)
    let now = Date(timeIntervalSince1970: 1000)
    let (first, _) = machine.begin(.load, url: "http://a/", now: now)
    _ = machine.event(.started(url: "http://a/"), now: now)
    _ = machine.event(.committed(url: "http://a/"), now: now)
    if moment != .whileItLoads { _ = machine.event(.finished(url: "http://a/"), now: now) }
    if moment == .afterItsTime { machine.endRedirects(of: first) }
    _ = machine.event(
      .willNavigate(url: "http://b/", isRedirect: false, isUserInitiated: isUserInitiated), now: now)
    _ = machine.event(.started(url: "http://b/"), now: now)
    return (first, machine.running.flatMap { machine[$0]?.clientRedirectOf })
  }

  @Test(arguments: [Moment.whileItLoads, .afterItsLoad])
  private func whatADocumentGoesToBeforeOrRightAfterItsLoadIsARedirect(moment: Moment) {
    let (first, cause) = cause(moment)
    #expect(cause == first)
  }

  @Test func whatItGoesToLaterIsNone() { #expect(cause(.afterItsTime).cause == nil) }

  @Test(arguments: Moment.allCases)
  private func whatAPersonDidIsNone(moment: Moment) {
    #expect(cause(moment, isUserInitiated: true).cause == nil)
  }

  @Test func aRedirectOfARedirectKeepsTheWindow() {
    var machine = NavigationMachine(limit: 8)
    let now = Date(timeIntervalSince1970: 1000)
    _ = machine.begin(.load, url: "http://1/", redirectWindow: 3, now: now)
    for number in 1...3 {
      let id = NavigationID(number: number)
      #expect(machine.redirectTime(of: id) == nil)
      _ = machine.event(.started(url: "http://\(number)/"), now: now)
      _ = machine.event(.committed(url: "http://\(number)/"), now: now)
      _ = machine.event(.finished(url: "http://\(number)/"), now: now)
      #expect(machine.redirectTime(of: id) == 3 + ClientRedirects.slack)
    }
    #expect(machine.records.last?.navigation.clientRedirectOf == NavigationID(number: 2))
    #expect(machine.records.redirect(of: NavigationID(number: 1)) == NavigationID(number: 2))
  }

  /// By the clock of the timers, from the end of the load on.
  @PageActor
  @Test(
    arguments: [
      (nil, 0.5, true), (nil, 0.8, false), (2, 2, true), (2, 2.3, false),
    ] as [(Double?, Double, Bool)])
  func theTimeEndsByTheClock(delay: Double?, seconds: Double, isRedirect: Bool) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let wait = PageWait(.load, delay.map { [.delay(seconds: $0)] } ?? [])
    let load = Task {
      try await controller.load(.url("http://a/"), wait: wait, deadline: Deadline(seconds: 60))
    }
    await page.gets { if case .load = $0 { true } else { false } }
    page.tell(EnginePageEvent.simpleLoad("http://a/"))
    await withCheckedContinuation { passed in
      _ = controller.context.timers.after(.seconds(seconds)) { passed.resume() }
      bench.clock.advance(by: .seconds(seconds))
    }
    page.tell(EnginePageEvent.simpleLoad("http://b/"))
    #expect(controller.navigations.records.last?.navigation.url == "http://b/")
    #expect((controller.navigations.records.last?.navigation.clientRedirectOf != nil) == isRedirect)
    load.cancel()
    _ = await load.result
  }
}
