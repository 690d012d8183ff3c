import Testing
import WebViewCore

/// How long a call lives.
@PageActor
@Suite(.serialized) struct EvaluationLifeTests {
  private static let garbage = "let a; for (let i = 0; i < 200; i++) a = new Array(100000).fill({}); return 0"

  @Test func aCallOnAFreshPageSurvivesTheFirstDocument() async throws {
    for _ in 0..<5 {
      let page = try EngineHarness.page()
      let code =
        "document.title = 'x'; return await new Promise(r => setTimeout(() => r(document.title), 200))"
      #expect(await page.evaluate(code) == .success(.json("\"x\"")))
    }
  }

  @Test func aSnapshotOfAFreshPageIsBlank() async throws {
    let page = try EngineHarness.page()
    let image = await withCheckedContinuation { done in
      page.page.snapshot(SnapshotRequest()) { done.resume(returning: $0) }
    }
    #expect(try image.get().width == Viewport.standard.width)
  }

  @Test func whatADocumentTookAlongIsToldSo() async throws {
    let page = try EngineHarness.page()
    let site = try FixtureSite.shared.get()
    try await page.load(site.url("/a"))
    let call = page.begin("await new Promise(() => {})")
    #expect(await page.evaluate("return 1") == .success(.json("1")))
    _ = try await page.after { $0.reload(fromOrigin: false) }
    // The engine tells it when it collects what is left of the document.
    for _ in 0..<100 where call.result == nil { _ = await page.evaluate(Self.garbage) }
    #expect(call.result == .failure(.documentReplaced))
  }

  @Test func whatNeverSettlesIsNotCollected() async throws {
    let page = try EngineHarness.page()
    await page.settle()
    let call = page.begin("await new Promise(() => {})")
    for _ in 0..<30 { _ = await page.evaluate(Self.garbage) }
    #expect(call.result == nil)
  }
}
