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
