import Foundation
import Testing

@testable import WebViewCore

/// Loads that the engine begins once more, since the page took their place.
@Suite struct RestartedLoadTests {
  private let id = NavigationID(number: 1)
  private let now = Date(timeIntervalSince1970: 1_000)
  private let a = "http://site.test/a"
  private let b = "http://site.test/b"

  private func begun(_ machine: inout NavigationMachine, _ events: [EnginePageEvent]) -> [NavigationStep] {
    events.flatMap { machine.event($0, now: now) }
  }
  private var hop: [EnginePageEvent] {
    let response = MainResourceResponse(
      url: b, status: 200, headers: [], mimeType: "text/html", encoding: nil)
    return [
      .willNavigate(url: a, isRedirect: false), .started(url: a), .willNavigate(url: b, isRedirect: true),
      .redirected(url: b, status: 302, from: a), .responded(response),
    ]
  }

  @Test func itIsOneNavigation() {
    var machine = NavigationMachine(limit: 8)
    _ = machine.begin(.load, url: a, now: now)
    #expect(begun(&machine, hop) == [.started(id), .redirected(id, to: b, status: 302)])
    #expect(begun(&machine, [.restarted(redirects: 1)]) == [])
    #expect(machine.isAwaitingStart(id))
    #expect(machine[id]?.url == a && machine[id]?.redirects == [] && machine[id]?.response == nil)
    #expect(
      begun(&machine, hop + [.committed(url: b), .finished(url: b)]) == [
        .redirected(id, to: b, status: 302), .committed(id), .documentReplaced, .ended(id),
      ])
    #expect(machine[id]?.redirects.count == 1 && machine[id]?.outcome == .finished)
  }

  @Test func whatLedToItIsKept() {
    var machine = NavigationMachine(limit: 8)
    _ = machine.begin(.load, url: a, now: now)
    _ = begun(&machine, hop + [.restarted(redirects: 0)])
    #expect(machine[id]?.url == b && machine[id]?.redirects.count == 1)
  }

  @Test func oneThatHasADocumentIsNotBegunAgain() {
    var machine = NavigationMachine(limit: 8)
    _ = machine.begin(.load, url: a, now: now)
    _ = begun(&machine, hop + [.committed(url: b), .restarted(redirects: 1)])
    #expect(!machine.isAwaitingStart(id) && machine[id]?.redirects.count == 1)
  }
}
