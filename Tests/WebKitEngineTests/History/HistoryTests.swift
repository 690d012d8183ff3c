import Foundation
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct HistoryTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  /// The paths of the list, the current one in brackets.
  private func shown(_ page: TestPage) -> String {
    let list = page.page.backForwardList
    func path(_ item: HistoryItem) -> String { item.url.replacingOccurrences(of: site.origin, with: "") }
    let current = list.currentItem.map { ["[\(path($0))]"] } ?? []
    return (list.backList.map(path) + current + list.forwardList.map(path)).joined(separator: " ")
  }

  private func ids(_ page: TestPage) -> [HistoryItemID] {
    let list = page.page.backForwardList
    return (list.backList + (list.currentItem.map { [$0] } ?? []) + list.forwardList).map(\.id)
  }

  @Test func theListIsInOrderAndItsNamesStay() async throws {
    let page = try EngineHarness.page()
    #expect(page.page.backForwardList == BackForwardList())
    for path in ["/a", "/b", "/c"] { try await page.load(site.url(path)) }
    #expect(shown(page) == "/a /b [/c]")
    #expect(page.page.backForwardList.currentItem?.title == "/c")
    let names = ids(page)
    #expect(Set(names).count == 3)
    #expect(try await page.after { _ = $0.go(to: names[0]) } == "W(/a) S(/a) A(200) C(/a) F(/a)")
    #expect(shown(page) == "[/a] /b /c")
    #expect(ids(page) == names)
    #expect(try await page.after { _ = $0.go(to: names[2]) } == "W(/c) S(/c) A(200) C(/c) F(/c)")
    try await page.after { _ = $0.goBack() }
    try await page.load(site.url("/d"))
    #expect(shown(page) == "/a /b [/d]")
    #expect(Array(ids(page)[..<2]) == Array(names[..<2]))
    #expect(!names.contains(ids(page)[2]))
    #expect(!page.page.go(to: names[2]), "a new branch ended it")
    #expect(!page.page.go(to: HistoryItemID(text: "h1-other")))
  }

  @Test func entriesAreMadeByAddressesNotByGivenContent() async throws {
    let page = try EngineHarness.page()
    try await page.after { $0.load(.html("<title>given</title>", baseURL: nil)) }
    #expect(shown(page) == "" && !page.page.canGoBack)
    try await page.load(site.url("/redirect"))
    #expect(shown(page) == "[/a]")
    #expect(page.page.backForwardList.currentItem?.initialURL == site.url("/redirect"))
    try await page.after { $0.load(.html("<title>given</title>", baseURL: nil)) }
    #expect(shown(page) == "[/a]")
    try await page.load("about:blank")
    try await page.load("data:text/html,x")
    try await page.load(site.url("/404"))
    #expect(shown(page) == "/a about:blank data:text/html,x [/404]")
    #expect(page.page.backForwardList.currentItem?.title == nil)
    for path in ["/meta", "/script-redirect"] {
      page.forget()
      page.page.load(.url(site.url(path)))
      try await page.wait { $0.contains(.finished(url: self.site.url("/a"))) }
    }
    #expect(
      shown(page) == "/a about:blank data:text/html,x /404 /a [/a]", "a page that goes on at once has none")
    #expect(page.page.backForwardList.currentItem?.initialURL == site.url("/a"))
  }

  @Test func stepsWithinADocument() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    _ = await page.json("window.mark = 1; history.pushState({}, '', '/p'); history.pushState({}, '')")
    _ = await page.json("location.hash = 'h'")
    await page.settle()
    _ = await page.json("document.title = 'new'")
    await page.settle()
    #expect(shown(page) == "/a /p /p [/p#h]")
    #expect(page.page.backForwardList.currentItem?.title == "new")
    let names = ids(page)
    #expect(try await page.after { _ = $0.go(to: names[0]) } == "same(/a)")
    #expect(try await page.after { _ = $0.go(to: names[2]) } == "same(/p)")
    #expect(try await page.after { _ = $0.goBack() } == "same(/p)", "to the same address")
    #expect(shown(page) == "/a [/p] /p /p#h" && ids(page) == names)
    #expect(await page.json("return window.mark") == "1")
  }

  @Test func twoStepsAtOnceLeadTwoEntriesAway() async throws {
    let page = try EngineHarness.page()
    for path in ["/a", "/b", "/c"] { try await page.load(site.url(path)) }
    let names = ids(page)
    page.forget()
    #expect(page.page.goBack())
    #expect(shown(page) == "/a [/b] /c" && page.page.canGoBack && page.page.canGoForward)
    #expect(page.page.goBack())
    #expect(shown(page) == "[/a] /b /c" && !page.page.canGoBack)
    #expect(!page.page.goBack())
    try await page.waitForEnd()
    await page.settle()
    #expect(page.story == "W(/a) S(/a) A(200) C(/a) F(/a)")
    #expect(shown(page) == "[/a] /b /c")
    page.forget()
    _ = page.page.goForward()
    page.page.stopLoading()
    try await page.waitForEnd()
    await page.settle()
    // Whether the step was stopped in time, only WebKit knows; the list is whole, and steps go on from there.
    #expect(ids(page) == names)
    #expect(await page.json("return location.href") == "\"\(page.page.url ?? "")\"")
    #expect(try await page.after { _ = $0.go(to: names[2]) } == "W(/c) S(/c) A(200) C(/c) F(/c)")
    #expect(shown(page) == "/a /b [/c]")
  }

  @Test func aCachedPageComesBackAsItWasLeft() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/latin1"))
    _ = await page.json("window.mark = 5; document.body.append('!')")
    try await page.load(site.url("/b"))
    #expect(try await page.after { _ = $0.goBack() } == "W(/latin1) S(/latin1) A(200) C(/latin1) F(/latin1)")
    #expect(await page.json("return [window.mark, document.body.textContent]") == "[5,\"é!\"]")
    let response = page.events.compactMap { event -> MainResourceResponse? in
      if case .responded(let response) = event { response } else { nil }
    }.first
    #expect(response?.url == site.url("/latin1") && response?.encoding == "iso-8859-1")
  }

  @Test func theCurrentEntryIsLoadedAgain() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    try await page.load(site.url("/b"))
    _ = await page.json("window.mark = 5")
    let current = try #require(page.page.backForwardList.currentItem)
    #expect(try await page.after { _ = $0.go(to: current.id) } == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    #expect(await page.json("return window.mark ?? null") == "null")
    #expect(shown(page) == "/a [/b]" && page.page.backForwardList.currentItem == current)
  }

  private func requests(of path: String) -> [String] {
    site.requestLines().compactMap { $0.split(separator: "\r\n").first.map(String.init) }.filter {
      $0.contains(" \(path) ")
    }
  }

  @Test func aFormsAnswerComesBackFromTheCacheAndIsPostedAgainWithoutOne() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.forget()
    _ = await page.json(
      """
      document.body.innerHTML = '<form method=post action="/echo?posted"><input name=a value=1></form>'
      document.forms[0].submit()
      """)
    try await page.waitForEnd()
    #expect(shown(page) == "/a [/echo?posted]")
    #expect(requests(of: "/echo?posted").count == 1)
    try await page.load(site.url("/b"))
    try await page.after { _ = $0.goBack() }
    #expect(requests(of: "/echo?posted").count == 1)
    page.page.terminateWebProcess()
    try await page.wait { $0.contains(.processTerminated(.requested)) }
    let posted = try #require(page.page.backForwardList.currentItem)
    #expect(posted.url == site.url("/echo?posted"))
    #expect(
      try await page.after { _ = $0.go(to: posted.id) }
        == "W(/echo?posted) S(/echo?posted) A(200) C(/echo?posted) D F(/echo?posted)")
    #expect(requests(of: "/echo?posted") == Array(repeating: "POST /echo?posted HTTP/1.1", count: 2))
  }

  @Test func theListOutlivesTheProcess() async throws {
    let page = try EngineHarness.page()
    for path in ["/a", "/a#1", "/b"] { try await page.load(site.url(path)) }
    let names = ids(page)
    page.page.terminateWebProcess()
    try await page.wait { $0.contains(.processTerminated(.requested)) }
    #expect(shown(page) == "/a /a#1 [/b]" && ids(page) == names && page.page.canGoBack)
    #expect(try await page.after { _ = $0.go(to: names[0]) } == "W(/a) S(/a) A(200) C(/a) D F(/a)")
    #expect(try await page.after { _ = $0.goForward() } == "same(/a#1)")
    #expect(shown(page) == "/a [/a#1] /b" && ids(page) == names)
  }

  @Test func aHundredEntriesAreKept() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let first = try #require(page.page.backForwardList.currentItem)
    _ = await page.json("for (let i = 1; i <= 99; i++) history.pushState(i, '', '/p' + i)")
    await page.settle()
    #expect(ids(page).count == 100 && ids(page)[0] == first.id)
    let names = ids(page)
    _ = await page.json("history.pushState(100, '', '/p100')")
    await page.settle()
    #expect(Array(ids(page)[..<99]) == Array(names[1...]))
    #expect(page.page.backForwardList.backList.first?.url == site.url("/p1"))
    #expect(!page.page.go(to: first.id))
    #expect(try await page.after { _ = $0.go(to: names[1]) } == "same(/p1)")
  }

  @Test func credentialsAreNotShown() async throws {
    let page = try EngineHarness.page()
    let story = try await page.load("http://user:s3cret@127.0.0.1:\(site.port)/redirect")
    #expect(story == "W(/redirect) S(/redirect) w(/a) R(302 /redirect>/a) A(200) C(/a) D F(/a)")
    #expect(page.page.backForwardList.currentItem?.initialURL == site.url("/redirect"))
    page.page.load(.url("http://user:s3cret@127.0.0.1:\(site.port)/b"))
    #expect(page.page.url == site.url("/b"))
    try await page.wait { $0.contains(.finished(url: self.site.url("/b"))) }
    #expect(shown(page) == "/a [/b]")
  }
}
