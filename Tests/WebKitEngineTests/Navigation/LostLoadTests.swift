import Testing
import WebViewCore

@testable import WebKitEngine

/// Loads that WebKit would lose, on the engine as it is.
@PageActor
@Suite(.serialized) struct LostLoadTests {
  let site: SlowSite
  init() throws { site = try SlowSite() }

  @Test func aLoadThatComesAsThePageChangesProcessesIsNotLost() async throws {
    let page = try EngineHarness.page()
    for number in 0..<8 {
      try await page.load(site.url(.otherGroup, number: number))
      // Leaves the group of pages, and with it the process.
      _ = page.begin("location.href = '\(site.url(.slowHead, number: number, delay: number * 10))'")
      try await page.wait("start") { $0.contains { $0.isStart } && page.page.isLoading }
      let url = site.url(.fast, number: number)
      page.page.load(.url(url))
      try await page.wait("the end of the last load") { $0.contains(.finished(url: url)) }
      #expect(page.events.count { $0 == .started(url: url) } == 1)
    }
  }

  /// Pages that go elsewhere every millisecond, so that no load after them has its turn.
  nonisolated static let stubborn = [
    "setInterval(() => location.hash = Math.random(), 1)",
    "setInterval(() => location = '/page?' + Math.random(), 1)",
    "setInterval(() => f.submit(), 1)",
  ]

  @Test(arguments: stubborn) func aStubbornPageIsToldAfterSoManyTries(script: String) async throws {
    let page = try EngineHarness.page()
    let form = "<form id=f action='/form' method=post></form>"
    page.page.load(.html("\(form)<script>\(script)</script>", baseURL: site.url(.fast, number: 0)))
    try await page.wait("the document") { $0.contains { if case .committed = $0 { true } else { false } } }
    page.forget()
    let url = site.url(.fast, number: 1)
    page.page.load(.url(url))
    try await page.wait("the end of the load") {
      $0.contains(.overtaken(url: url, isStubborn: true)) || $0.contains(.finished(url: url))
    }
    #expect(page.events.count { if case .restarted = $0 { true } else { false } } <= 3)
    guard !page.events.contains(.finished(url: url)) else { return }
    page.page.terminateWebProcess()
    try await page.wait("the end of the process") { $0.contains(.processTerminated(.requested)) }
    page.forget()
    let story = try await page.load(url)
    #expect(story.hasSuffix("F(\(url))"))
  }

  /// What a client's script makes a page go to is the client's own wish.
  @Test func aLoadIsNotBegunAgainAfterWhatAClientsScriptDid() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url(.fast, number: 0))
    page.forget()
    let url = site.url(.slowHead, number: 1, delay: 60_000)
    page.page.load(.url(url))
    try await page.wait("the start") { $0.contains(.started(url: url)) }
    _ = page.begin("location.hash = 'h'")
    try await page.wait("the end of the load") { $0.contains(.overtaken(url: url)) }
    try await page.wait("the fragment") {
      $0.contains(.sameDocumentNavigation(url: site.url(.fast, number: 0) + "#h"))
    }
  }

  @Test func aStopBeforeTheFirstDocumentHoldsNothingUp() async throws {
    let page = try EngineHarness.page()
    page.page.load(.url(site.url(.fast, number: 1)))
    page.page.stopLoading()
    try await page.waitForEnd()
    let url = site.url(.fast, number: 2)
    try await page.load(url)
    #expect(page.page.url == url)
    #expect(await page.json("return history.length") == "1")
  }

  @Test func aFragmentOfTheFirstBlankDocumentIsReached() async throws {
    let page = try EngineHarness.page()
    #expect(try await page.load("about:blank#h") == "same(about:blank#h)")
    #expect(page.page.url == "about:blank#h")
  }

  @Test func aLoadThatFollowsAFailedOneWorks() async throws {
    let page = try EngineHarness.page()
    let failures = [site.refused] + [.reset, .closed, .noContent, .download].map { site.url($0, number: 0) }
    for number in 0..<50 {
      let failed = try await page.load(failures[number % failures.count])
      #expect(failed.contains("failed(") || failed.contains("refused("))
      let url = site.url(.fast, number: number)
      #expect(try await page.load(url).hasSuffix("F(\(url))"))
      #expect(url.hasSuffix(page.page.title ?? "none"))
    }
  }
}

extension EnginePageEvent {
  fileprivate var isStart: Bool { if case .started = self { true } else { false } }
}
