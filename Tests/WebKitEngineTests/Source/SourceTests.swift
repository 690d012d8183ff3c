import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct SourceTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  private func source(of page: TestPage) async -> Result<String, EvaluationFailure> {
    await withCheckedContinuation { answer in
      page.page.mainResourceData { answer.resume(returning: $0.map { String(decoding: $0, as: UTF8.self) }) }
    }
  }

  @Test func theBytesAreThoseOfTheDocumentThatIsThere() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/latin1"))
    let latin1 = "<p>\u{FFFD}"
    #expect(await source(of: page) == .success(latin1))
    _ = await page.json("document.body.innerHTML = 'changed'; history.pushState(1, '', '/q')")
    #expect(await source(of: page) == .success(latin1))
    for url in [site.url("/204"), site.url("/bin"), site.url("/close"), "http://127.0.0.1:2/"] {
      try await page.load(url)
      #expect(await source(of: page) == .success(latin1), "\(url)")
    }
    try await page.load("about:blank")
    #expect(await source(of: page) == .success(""))
    try await page.load("data:text/html,<p>x")
    #expect(await source(of: page) == .success("<p>x"))
    try await page.after { _ = $0.goBack() }
    try await page.after { _ = $0.goBack() }
    #expect(page.page.url == site.url("/q"))
    #expect(await source(of: page) == .success(latin1))
  }

  @Test func whileItLoadsItIsWhatHasCome() async throws {
    let page = try EngineHarness.page()
    page.page.load(.url(site.url("/held-body?source")))
    try await page.wait { $0.contains(.committed(url: self.site.url("/held-body?source"))) }
    let come = try await source(of: page).get()
    #expect(come.hasPrefix("<p>first") && come.utf8.count < 3000)
    site.release("/held-body?source")
    try await page.waitForEnd()
  }

  @Test func withoutAProcessThereIsNone() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.page.terminateWebProcess()
    try await page.wait { $0.contains(.processTerminated(.requested)) }
    #expect(await source(of: page) == .failure(.processTerminated))
  }
}
