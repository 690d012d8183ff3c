import Testing
import WebViewCore

/// What a real page says of its elements, of its network and of what it does by itself.
@PageActor
@Suite(.serialized, .timeLimit(.minutes(2))) struct PageWaitEngineTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  private func initiators(_ page: TestPage) -> [Bool] {
    page.events.compactMap {
      if case .willNavigate(_, false, let isUserInitiated) = $0 { isUserInitiated } else { nil }
    }
  }

  @Test func aPagesOwnNavigationsAreNoPersons() async throws {
    let page = try EngineHarness.page()
    page.page.load(.url(site.url("/meta")))
    try await page.wait { $0.filter { if case .finished = $0 { true } else { false } }.count == 2 }
    #expect(initiators(page) == [false, false])
    try await page.after { _ in _ = page.begin("location = '/b'") }
    #expect(initiators(page) == [true])
  }

  private func answer(_ page: TestPage, _ state: ElementState, _ selector: String) async -> ElementAnswer? {
    await withCheckedContinuation { continuation in
      page.page.find(state, selector) { continuation.resume(returning: try? $0.get()) }
    }
  }

  @Test func elementsAreSeenAsAPersonSeesThem() async throws {
    let page = try EngineHarness.page()
    try await page.after {
      $0.load(
        .html(
          """
          <form><input name=querySelector><input name=querySelectorAll></form>
          <p id=none style="display:none">x<b>x</b></p><p id=invisible style="visibility:hidden">x</p>
          <p id=empty></p><p id=seen>x</p><p class=some hidden>x</p><p class=some>x</p>
          """, baseURL: nil))
    }
    let answers: [(String, attached: ElementAnswer, visible: ElementAnswer)] = [
      ("#seen", .yes, .yes), ("#none", .yes, .no), ("#none b", .yes, .no), ("#invisible", .yes, .no),
      ("#empty", .yes, .no), (".some", .yes, .yes), ("#nowhere", .no, .no),
      ("\u{2028}\"'\\", .notASelector, .notASelector),
      ("p[", .notASelector, .notASelector),
    ]
    for (selector, attached, visible) in answers {
      #expect(await answer(page, .attached, selector) == attached, "\(selector)")
      #expect(await answer(page, .visible, selector) == visible, "\(selector)")
      let hidden: ElementAnswer =
        switch visible {
        case .yes: .no
        case .no: .yes
        case .notASelector: .notASelector
        }
      #expect(await answer(page, .hidden, selector) == hidden, "\(selector)")
    }
  }

  @Test func theNetworkIsQuietWhenEverythingAskedForHasEnded() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    // The end of a request may be told after that of the load, or of what a script awaits.
    while page.page.networkQuiet == nil { await page.settle() }
    let path = "/held?quiet"
    _ = await page.evaluate("window.done = fetch('\(path)').then(() => 1); return 1")
    while !site.requestLines().contains(where: { $0.contains(path) }) { await page.settle() }
    await page.settle()
    #expect(page.page.networkQuiet == nil)
    site.release(path)
    #expect(await page.json("return await window.done") == "1")
    while page.page.networkQuiet == nil { await page.settle() }
  }

  @Test func aDocumentsRefreshesAreToldWhenItCameToRest() async throws {
    let page = try EngineHarness.page()
    try await page.after {
      $0.load(
        .html(
          """
          <meta http-equiv=refresh content="70;url=/x"><META HTTP-EQUIV=Refresh CONTENT=" 80">
          <meta name=refresh content=1><meta http-equiv=refresh>
          """, baseURL: nil))
    }
    let told = await withCheckedContinuation { continuation in
      page.page.settle { continuation.resume(returning: try? $0.get()) }
    }
    #expect(told == ["70;url=/x", " 80"])
  }
}
