import Foundation
import Testing

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

  /// What the machine makes of a document's navigation, so many seconds after its end; nil: while it loads.
  private func cause(
    of seconds: Double?, isUserInitiated: Bool = false, window: Double = ClientRedirects.window
  ) -> (first: NavigationID, cause: NavigationID?) {
    var machine = NavigationMachine(limit: 8)
    var now = Date(timeIntervalSince1970: 1000)
    let (first, _) = machine.begin(.load, url: "http://a/", redirectWindow: window, now: now)
    _ = machine.event(.started(url: "http://a/"), now: now)
    _ = machine.event(.committed(url: "http://a/"), now: now)
    if let seconds {
      _ = machine.event(.finished(url: "http://a/"), now: now)
      now += seconds
    }
    _ = machine.event(
      .willNavigate(url: "http://b/", isRedirect: false, isUserInitiated: isUserInitiated), now: now)
    _ = machine.event(.started(url: "http://b/"), now: now)
    return (first, machine.running.flatMap { machine[$0]?.clientRedirectOf })
  }

  @Test(arguments: [nil, 0, 0.5, 0.7] as [Double?])
  func whatADocumentGoesToBeforeOrRightAfterItsLoadIsARedirect(seconds: Double?) {
    let (first, cause) = cause(of: seconds)
    #expect(cause == first)
  }

  @Test func whatItGoesToLaterIsNone() {
    #expect(cause(of: 0.8).cause == nil)
    let (first, cause) = cause(of: 2.1, window: 2)
    #expect(cause == first)
  }

  @Test(arguments: [nil, 0, 0.5] as [Double?])
  func whatAPersonDidIsNone(seconds: Double?) {
    #expect(cause(of: seconds, isUserInitiated: true).cause == nil)
  }

  @Test func aRedirectOfARedirectKeepsTheWindow() {
    var machine = NavigationMachine(limit: 8)
    var now = Date(timeIntervalSince1970: 1000)
    _ = machine.begin(.load, url: "http://1/", redirectWindow: 3, now: now)
    for number in 1...3 {
      _ = machine.event(.started(url: "http://\(number)/"), now: now)
      _ = machine.event(.committed(url: "http://\(number)/"), now: now)
      _ = machine.event(.finished(url: "http://\(number)/"), now: now)
      now += 3
    }
    #expect(machine.records.last?.navigation.clientRedirectOf == NavigationID(number: 2))
    #expect(machine.records.redirect(of: NavigationID(number: 1)) == NavigationID(number: 2))
  }
}
