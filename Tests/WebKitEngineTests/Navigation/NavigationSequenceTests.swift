import Foundation
import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct NavigationSequenceTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  @Test func loadTellsEachStepOnceAndTheTitleByItsEnd() async throws {
    let page = try EngineHarness.page()
    #expect(page.page.url == nil)
    #expect(!page.page.isLoading)
    #expect(try await page.load(site.url("/a")) == "W(/a) S(/a) A(200) C(/a) D F(/a)")
    #expect(page.page.title == "/a")
    #expect(page.page.url == site.url("/a"))
    #expect(!page.page.isLoading)
    #expect(try await page.load(site.url("/404")) == "W(/404) S(/404) A(404) C(/404) D F(/404)")
    #expect(page.page.title == nil)
  }

  @Test func redirectsTellStatusAndOrigin() async throws {
    let page = try EngineHarness.page()
    #expect(
      try await page.load(site.url("/redirect"))
        == "W(/redirect) S(/redirect) w(/a) R(302 /redirect>/a) A(200) C(/a) D F(/a)")
    let loop = try await page.load(site.url("/loop"))
    #expect(loop.hasSuffix("failed(tooManyRedirects /loop)"))
    #expect(page.page.url == site.url("/a"))
  }

  @Test func failuresNameTheirCauseAndKeepTheDocument() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    #expect(
      try await page.load("http://127.0.0.1:2/") == "W(/) S(/) failed(cannotConnect /)")
    #expect(
      try await page.load("http://nonexist.invalid/")
        == "W(http://nonexist.invalid/) S(http://nonexist.invalid/) failed(cannotFindHost http://nonexist.invalid/)"
    )
    #expect(try await page.load(site.url("/close")) == "W(/close) S(/close) failed(connectionLost /close)")
    #expect(try await page.load("foo://x") == "W(foo://x) S(foo://x) failed(unsupportedURL foo://x)")
    #expect(page.page.url == site.url("/a"))
    #expect(await page.json("return document.title") == "\"/a\"")
  }

  @Test func noContentAndUndisplayableTypesKeepTheDocument() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    #expect(
      try await page.load(site.url("/204")) == "W(/204) S(/204) A(204) refused(cancelled /204)")
    #expect(
      try await page.load(site.url("/bin")) == "W(/bin) S(/bin) A(200) refused(cannotShowMIMEType /bin)")
    #expect(page.page.url == site.url("/a"))
    #expect(
      try await page.after {
        $0.load(
          .data([1, 2], mimeType: "application/octet-stream", encoding: "utf-8", baseURL: "http://x.test/"))
      } == "refused(cannotShowMIMEType http://x.test/)")
    #expect(
      try await page.load(site.url("/attachment"))
        == "W(/attachment) S(/attachment) A(200) refused(unsupported /attachment)")
    #expect(page.page.url == site.url("/a"))
  }

  @Test func blockedPortNeverLooksFinished() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let story = try await page.load("http://127.0.0.1:9/")
    #expect(story == "W(/) S(/) failed(blockedByPolicy /)")
    await page.settle()
    #expect(page.story == story)
    try await page.load(site.url("/blocked-link"))
    page.forget()
    _ = await page.json("document.getElementById('l').click()")
    await page.settle()
    #expect(page.story == "")
    #expect(page.page.url == site.url("/blocked-link"))
  }

  @Test func givenContentLoads() async throws {
    let page = try EngineHarness.page()
    #expect(
      try await page.after { $0.load(.html("<title>h</title>é", baseURL: nil)) }
        == "W(about:blank) S(about:blank) C(about:blank) D F(about:blank)")
    #expect(page.page.title == "h")
    #expect(await page.json("return document.body.textContent") == "\"é\"")
    #expect(
      try await page.after { $0.load(.html("", baseURL: site.url("/empty"))) }
        == "W(/empty) S(/empty) C(/empty) D F(/empty)")
    #expect(await page.json("return document.body.innerHTML") == "\"\"")
    #expect(
      try await page.after { $0.load(.html("<p>x", baseURL: site.url("/base"))) }
        == "W(/base) S(/base) C(/base) D F(/base)")
    #expect(await page.json("return location.href") == "\"\(site.url("/base"))\"")
    #expect(
      try await page.after {
        $0.load(
          .data(
            [0x3c, 0x70, 0x3e, 0xe9], mimeType: "text/html", encoding: "iso-8859-1", baseURL: site.url("/d")))
      } == "W(/d) S(/d) C(/d) D F(/d)")
    #expect(await page.json("return document.body.textContent") == "\"é\"")
    #expect(
      try await page.load("about:blank") == "W(about:blank) S(about:blank) C(about:blank) D F(about:blank)")
    #expect(
      try await page.load("data:text/html,<p>x")
        == "W(data:text/html,<p>x) S(data:text/html,<p>x) A(nil) C(data:text/html,<p>x) D F(data:text/html,<p>x)"
    )
  }

  @Test func changesWithinTheDocumentAreNoLoads() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    #expect(try await page.load(site.url("/a#h")) == "same(/a#h)")
    for (code, told) in [
      ("location.hash = 'x'", "same(/a#x)"), ("history.pushState({}, '', '/pushed')", "same(/pushed)"),
      ("history.replaceState({}, '', '/replaced')", "same(/replaced)"),
    ] {
      page.forget()
      _ = await page.json(code)
      try await page.waitForEnd()
      #expect(page.story == told)
    }
    #expect(page.page.url == site.url("/replaced"))
    #expect(try await page.after { _ = $0.goBack() } == "same(/a#x)")
    #expect(try await page.after { _ = $0.goBack() } == "same(/a#h)")
    #expect(try await page.after { _ = $0.goBack() } == "same(/a)")
    #expect(!page.page.goBack())
    #expect(try await page.load(site.url("/a")) == "W(/a) S(/a) A(200) C(/a) D F(/a)")
  }

  @Test func historyAndReload() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    try await page.load(site.url("/b"))
    #expect(page.page.canGoBack)
    let back = try await page.after { _ = $0.goBack() }
    #expect(back == "W(/a) S(/a) A(200) C(/a) F(/a)")
    #expect(page.page.title == "/a")
    #expect(page.page.canGoForward)
    #expect(try await page.after { _ = $0.goForward() } == "W(/b) S(/b) A(200) C(/b) F(/b)")
    #expect(!page.page.goForward())
    #expect(try await page.after { $0.reload(fromOrigin: false) } == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    try await page.load(site.url("/echo"))
    try await page.after { $0.reload(fromOrigin: true) }
    let head = await page.json("return document.body.innerText")
    #expect(head.contains("Pragma: no-cache"))
  }

  @Test func stopEndsWhateverRuns() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.forget()
    page.page.stopLoading()
    await page.settle()
    #expect(page.story == "")

    page.page.load(.url(site.url("/held?1")))
    try await page.wait { $0.contains(.started(url: site.url("/held?1"))) }
    page.page.stopLoading()
    try await page.waitForEnd()
    #expect(page.story == "W(/held?1) S(/held?1) failed(cancelled /held?1)")
    #expect(page.page.url == site.url("/a"))
    site.release("/held?1")

    page.forget()
    page.page.load(.url(site.url("/b")))
    page.page.stopLoading()
    try await page.waitForEnd()
    await page.settle()
    #expect(page.story == "failed(cancelled /b)")
    #expect(!page.page.isLoading)
    #expect(page.page.url == site.url("/a"))

    page.forget()
    page.page.load(.url(site.url("/held-body?1")))
    try await page.wait { $0.contains(.committed(url: site.url("/held-body?1"))) }
    page.page.stopLoading()
    try await page.waitForEnd()
    await page.settle()
    #expect(
      page.story == "W(/held-body?1) S(/held-body?1) A(200) C(/held-body?1) failed(cancelled /held-body?1)")
    site.release("/held-body?1")
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
  }

  @Test func aNewLoadSilencesTheOlder() async throws {
    let page = try EngineHarness.page()
    page.page.load(.url(site.url("/a?1")))
    page.page.load(.url(site.url("/a?2")))
    try await page.waitForEnd()
    #expect(page.story == "W(/a?2) S(/a?2) A(200) C(/a?2) D F(/a?2)")

    page.forget()
    page.page.load(.url(site.url("/held?2")))
    try await page.wait { $0.contains(.started(url: site.url("/held?2"))) }
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    site.release("/held?2")

    page.forget()
    page.page.load(.url(site.url("/held-body?2")))
    try await page.wait { $0.contains(.committed(url: site.url("/held-body?2"))) }
    #expect(try await page.load(site.url("/c")) == "W(/c) S(/c) A(200) C(/c) D F(/c)")
    site.release("/held-body?2")
    await page.settle()
    #expect(page.story == "W(/c) S(/c) A(200) C(/c) D F(/c)")
  }

  @Test func navigationsOfThePageAreTold() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.forget()
    _ = await page.json("document.getElementById('l').click()")
    try await page.waitForEnd()
    #expect(page.story == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    for path in ["/meta", "/script-redirect"] {
      page.forget()
      page.page.load(.url(site.url(path)))
      try await page.wait { $0.contains(.finished(url: self.site.url("/a"))) }
      #expect(
        page.story == "W(\(path)) S(\(path)) A(200) C(\(path)) D F(\(path)) W(/a) S(/a) A(200) C(/a) D F(/a)")
    }
    page.forget()
    page.page.load(.url(site.url("/held?3")))
    try await page.wait { $0.contains(.started(url: site.url("/held?3"))) }
    _ = await page.json("location = '/e'")
    try await page.wait { $0.contains(.finished(url: self.site.url("/e"))) }
    #expect(page.story == "W(/held?3) S(/held?3) overtaken(/held?3) W(/e) S(/e) A(200) C(/e) D F(/e)")
    site.release("/held?3")
  }

  @Test func framesAreNotTheMainFrame() async throws {
    let page = try EngineHarness.page()
    #expect(
      try await page.load(site.url("/frames")) == "W(/frames) S(/frames) A(200) C(/frames) D F(/frames)")
    _ = await page.json("return new Promise(r => setTimeout(r, 200))")
    #expect(page.story == "W(/frames) S(/frames) A(200) C(/frames) D F(/frames)")
    #expect(await page.json("return frames.length") == "2")
  }

  @Test func responsesCarryTheirHead() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/latin1"))
    let response = page.events.compactMap { event -> MainResourceResponse? in
      if case .responded(let response) = event { response } else { nil }
    }.first
    #expect(response?.status == 200)
    #expect(response?.mimeType == "text/html")
    #expect(response?.encoding == "iso-8859-1")
    #expect(
      response?.headers.contains { $0.name.lowercased() == "content-length" && $0.value == "4" } == true)
    #expect(await page.json("return document.body.textContent") == "\"é\"")
  }

  @Test func dataThatCannotBeShownEndsTheLoadItReplaces() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.page.load(.url(site.url("/held?replaced")))
    try await page.wait {
      $0.contains { if case .started(self.site.url("/held?replaced")) = $0 { true } else { false } }
    }
    try await page.after {
      $0.load(.data([1, 2], mimeType: "application/zip", encoding: "utf-8", baseURL: "about:blank"))
    }
    #expect(page.story.hasPrefix("refused(cannotShowMIMEType"))
    site.release("/held?replaced")
    await page.settle()
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    #expect(await page.json("return history.length") == "2", "the replaced load never became a document")
  }
}
