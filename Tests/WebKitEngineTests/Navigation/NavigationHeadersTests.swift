import CWebKit
import Foundation
import GLibBridge
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct NavigationHeadersTests {
  typealias Pair = (told: TestPage, own: WebKitPage)

  private let site: FixtureSite
  private let headers = [
    "User-Agent": "Given/1", "Accept": "given/type", "Accept-Language": "x-given",
    "Referer": "http://given.test/", "Authorization": "Given secret", "X-Given": "a",
  ]
  /// What another origin is told.
  private let forEverybody = [
    "User-Agent": "Given/1", "Accept": "given/type", "Accept-Language": "x-given",
  ]

  init() throws { site = try FixtureSite.shared.get() }

  private func load(_ url: String, in page: Pair, _ given: [String: String]? = nil) async throws -> String {
    try await page.told.after { _ in begin(url, in: page, given) }
  }

  private func begin(_ url: String, in page: Pair, _ given: [String: String]? = nil) {
    let fields = (given ?? headers).map { MainResourceResponse.Header(name: $0.key, value: $0.value) }
    page.own.load(.url(url))
    page.own.setNavigationHeaders(NavigationHeaders(fields: fields), for: url)
  }

  /// The heads of all requests for a URL: of the site, or of another one that it was the proxy for.
  private func heads(_ url: String) -> [String] {
    let target =
      [site.origin, "http://localhost:\(site.port)"].first { url.hasPrefix($0) }
      .map { url.dropFirst($0.count) } ?? url[...]
    return site.requestLines().filter { $0.split(separator: " ").dropFirst().first == target }
  }

  /// Of each: those of the headers above that it had as they were given.
  private func requests(_ url: String) -> [[String: String]] {
    heads(url).map { head in headers.filter { head.contains("\r\n\($0.key): \($0.value)\r\n") } }
  }

  /// What a page asks for by itself is no event.
  private func arrived(_ count: Int, _ url: String) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while heads(url).count < count {
      guard ContinuousClock.now < end else {
        throw EngineHarness.Failure(description: "no request for \(url)")
      }
      await Task.yield()
    }
  }

  @Test func theyReachTheServerOnce() async throws {
    let page = try EngineHarness.pageOfTheEngine()
    #expect(try await load(site.url("/a?once"), in: page).hasSuffix("F(/a?once)"))
    #expect(requests("/a?once") == [headers])
    #expect(await page.0.json("return navigator.userAgent") != "\"Given/1\"")
    try await page.0.load(site.url("/b"))
    try await page.0.load(site.url("/a?once"))
    try await page.0.load(site.url("/b"))
    _ = await page.0.json("location = '/a?once'")
    try await arrived(3, "/a?once")
    #expect(requests("/a?once") == [headers, [:], [:]])
  }

  @Test func aReloadIsTheEnginesOwn() async throws {
    let page = try EngineHarness.pageOfTheEngine()
    try await page.0.load(site.url("/a?reload"))
    _ = try await load(site.url("/a?reload"), in: page)
    for fromOrigin in [false, true, false] { try await page.0.after { $0.reload(fromOrigin: fromOrigin) } }
    _ = await page.0.json("location.reload()")
    try await arrived(6, "/a?reload")
    #expect(requests("/a?reload") == [[:], headers, [:], [:], [:], [:]])
    func accept(_ head: String) -> Substring? {
      head.split(separator: "\r\n").first { $0.hasPrefix("Accept:") }
    }
    let first = try #require(accept(heads("/a?reload")[0]))
    #expect(heads("/a?reload").dropFirst(2).compactMap { accept($0) } == [first, first, first, first])
  }

  @Test func cookiesAndConnectionsAreNotAClients() async throws {
    let page = try EngineHarness.pageOfTheEngine()
    let given = ["Cookie": "given=1", "Host": "given.test", "Connection": "given", "X-Given": "a"]
    _ = try await load(site.url("/a?reserved"), in: page, given)
    #expect(requests("/a?reserved") == [["X-Given": "a"]])
    let head = try #require(heads("/a?reserved").first)
    #expect(!head.contains("given=1") && !head.contains("given.test") && !head.contains(": given\r"))
  }

  @Test(arguments: ["this machine", "plain http"])
  func nothingElseOfThePageHasThem(place: String) async throws {
    let page = try EngineHarness.pageOfTheEngine()
    let isPlain = place == "plain http"
    if isPlain { sendThroughSite(page.1) }
    let url = (isPlain ? "http://plain.invalid" : site.origin) + "/asks-for-itself?else"
    _ = try await load(url, in: page)
    // Its frame and its image have the same address.
    #expect(requests(url).first == headers)
    #expect(requests(url).dropFirst().filter { !$0.isEmpty } == [], "\(heads(url))")
    #expect(requests(url).count > 2)
  }

  @Test(arguments: ["this machine", "plain http"])
  func redirectsTakeThemAsFarAsTheyMayGo(place: String) async throws {
    let page = try EngineHarness.pageOfTheEngine()
    let isPlain = place == "plain http"
    if isPlain { sendThroughSite(page.1) }
    let (here, there) =
      isPlain
      ? ("http://plain.invalid", "http://other.invalid") : (site.origin, "http://localhost:\(site.port)")
    let last = "\(here)/a?last"
    let away = "\(there)/redirect-to?302&\(last)"
    let same = "\(here)/redirect-to?307&\(away)"
    let first = "\(here)/redirect-to?302&\(same)"
    let told = try await load(first, in: page)
    #expect(told.contains("F(") && page.0.page.url == last)
    #expect(requests(first) == [headers])
    #expect(requests(same) == [headers])
    #expect(requests(away) == [forEverybody])
    #expect(requests(last) == [forEverybody])
  }

  @Test func aNewProcessHasThemAtItsFirstLoad() async throws {
    let page = try EngineHarness.pageOfTheEngine()
    try await page.0.load(site.url("/b"))
    page.0.forget()
    kill(try #require(page.0.page.processIdentifier), SIGKILL)
    try await page.0.waitForEnd()
    _ = try await load(site.url("/a?respawned"), in: page)
    #expect(requests("/a?respawned") == [headers])
    try await page.0.load(site.url("/a?respawned"))
    #expect(requests("/a?respawned") == [headers, [:]])
  }

  @Test func aLoadThatIsReplacedTakesThemAlong() async throws {
    let page = try EngineHarness.pageOfTheEngine()
    begin(site.url("/a?replaced"), in: page)
    #expect(try await page.0.load(site.url("/b")).hasSuffix("F(/b)"))
    try await page.0.load(site.url("/a?replaced"))
    #expect(requests("/a?replaced").last == [:])
    // Also when the server had it already.
    begin(site.url("/held?headers"), in: page)
    try await arrived(1, "/held?headers")
    #expect(requests("/held?headers") == [headers])
    try await page.0.load(site.url("/b"))
    _ = await page.0.json("location = '/held?headers'")
    try await arrived(2, "/held?headers")
    #expect(requests("/held?headers").last == [:])
    site.release("/held?headers")
  }

  @Test func aLoadThatAsksNobodyTakesThemAlong() async throws {
    let page = try EngineHarness.pageOfTheEngine()
    try await page.0.load(site.url("/a?within"))
    #expect(try await load(site.url("/a?within#f"), in: page) == "same(/a?within#f)")
    page.0.forget()
    _ = await page.0.json("location.reload()")
    try await page.0.waitForEnd()
    #expect(requests("/a?within") == [[:], [:]])
  }

  @Test func pagesHaveTheirOwn() async throws {
    let store = try EngineHarness.engine().makeEphemeralStore()
    let first = try EngineHarness.page(in: store)
    let second = try EngineHarness.page(in: store)
    let own = try #require(first.page as? WebKitPage)
    begin(site.url("/a?own"), in: (first, own))
    second.page.load(.url(site.url("/a?own")))
    try await first.waitForEnd()
    try await second.waitForEnd()
    #expect(requests("/a?own").sorted { $0.count < $1.count } == [[:], headers])
  }

  @Test func theyNeedNoSandbox() async throws {
    let engine = try EngineHarness.engineWithoutSandbox()
    #expect(engine.information.sandbox == .off)
    let page = TestPage(try engine.makePage(in: engine.makeEphemeralStore(), viewport: .standard))
    let own = try #require(page.page as? WebKitPage)
    _ = try await load(site.url("/a?unboxed"), in: (page, own))
    #expect(requests("/a?unboxed") == [headers])
    await engine.shutDown()
  }

  @Test func aProcessWithoutTheModuleFailsTheLoad() async throws {
    let (page, own) = try EngineHarness.pageOfTheEngine()
    webkit_web_context_set_web_extensions_directory(own.context.pointer, "/nonexistent")
    page.page.terminateWebProcess()
    #expect(try await load(site.url("/a?refused"), in: (page, own)) == "failed(other /a?refused)")
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
  }

  /// Names that do not exist are the site's then: what WebKit tells apart by the name of a host can be tried.
  private func sendThroughSite(_ page: WebKitPage) {
    let settings = webkit_network_proxy_settings_new(site.origin, nil)
    defer { webkit_network_proxy_settings_free(settings) }
    webkit_website_data_manager_set_network_proxy_settings(
      page.store.dataManager, WEBKIT_NETWORK_PROXY_MODE_CUSTOM,
      settings)
  }
}
