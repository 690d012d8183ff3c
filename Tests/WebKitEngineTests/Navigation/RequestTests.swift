import CWebKit
import Foundation
import GLibBridge
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct RequestTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  private func request(_ method: String, _ path: String, body: [UInt8]? = nil) -> LoadContent {
    .request(
      LoadRequest(
        url: site.url(path), method: method, headers: [.init(name: "Content-Type", value: "text/x")],
        body: body))
  }

  private func heldPath() -> String { "/held?\(UUID())" }

  @Test func eachWayTellsTheSameStory() async throws {
    let page = try EngineHarness.page()
    for method in ["GET", "POST"] {
      #expect(
        try await page.after { $0.load(request(method, "/a")) } == "W(/a) S(/a) A(200) C(/a) D F(/a)",
        "\(method)")
    }
    #expect(
      try await page.after { $0.load(request("PUT", "/a")) }
        == "W(/a) S(/a) A(200) K W(/a) S(/a) C(/a) D F(/a)")
    #expect(
      try await page.after { $0.load(request("PUT", "/404")) }
        == "W(/404) S(/404) A(404) K W(/404) S(/404) C(/404) D F(/404)"
    )
    #expect(
      try await page.after { $0.load(request("DELETE", "/204")) }
        == "W(/204) S(/204) A(204) failed(cancelled /204)")
    #expect(
      try await page.after { $0.load(request("PUT", "/bin")) }
        == "W(/bin) S(/bin) A(200) refused(cannotShowMIMEType /bin)")
    #expect(
      try await page.after { $0.load(request("PUT", "/close")) }
        == "W(/close) S(/close) failed(connectionLost /close)")
    #expect(page.page.url == site.url("/404"))
    #expect(!page.page.isLoading)
  }

  /// Whether WebKit would post again is heard from the process, which may not answer.
  @Test func aPostThatFailsAsItsProcessHangsHasAnEnd() async throws {
    let (page, webKit) = try EngineHarness.pageOfTheEngine()
    try await page.load(site.url("/a"))
    page.forget()
    let path = heldPath()
    defer { site.release(path) }
    page.page.load(request("POST", path))
    try await page.wait("the start") { $0.contains(.started(url: site.url(path))) }
    let process = try #require(webKit.processIdentifier)
    kill(process, SIGSTOP)
    defer { kill(process, SIGCONT) }
    let isHeld = webKit.postedEntry.failed(LoadError(.cancelled, "cancelled"), isLoading: false)
    #expect(isHeld)
    webKit.settlePostLater(url: site.url(path))
    try await page.waitForEnd()
    #expect(page.story.hasSuffix("failed(cancelled \(path))"))
    let more = webKit.postedEntry.settle()
    #expect(more == nil)
  }

  @Test func nothingOfARequestIsKeptBeyondItsLoad() async throws {
    let page = try EngineHarness.page()
    let webKit = try #require(page.page as? WebKitPage)
    for (method, path) in [("POST", "/a"), ("PUT", "/a"), ("POST", "/204"), ("GET", "/close")] {
      _ = try await page.after { $0.load(request(method, path)) }
      #expect(webKit.issuedLoad.begin == nil, "\(method) \(path)")
    }
  }

  @Test func aRedirectOfAFetchIsTold() async throws {
    let page = try EngineHarness.page()
    let put = try await page.after { $0.load(request("PUT", "/redirect")) }
    #expect(put == "W(/redirect) S(/redirect) w(/a) R(302 /redirect>/a) A(200) K W(/a) S(/a) C(/a) D F(/a)")
    #expect(page.page.url == site.url("/a"))
  }

  @Test func aSimulatedResponseIsToldInItsPlace() async throws {
    let page = try EngineHarness.page()
    func simulated(_ status: Int, _ type: String) -> LoadContent {
      .simulated(
        LoadRequest(url: site.url("/never")),
        SimulatedResponse(
          statusCode: status, headers: [.init(name: "Content-Type", value: type)],
          data: Array("<title>s".utf8)))
    }
    #expect(
      try await page.after { $0.load(simulated(404, "text/html")) }
        == "W(/never) S(/never) A(404) C(/never) D F(/never)")
    #expect(page.page.title == "s")
    #expect(
      try await page.after { $0.load(simulated(205, "text/html")) }
        == "W(/never) S(/never) A(205) failed(cancelled /never)")
    #expect(
      try await page.after { $0.load(simulated(200, "a/b")) }
        == "W(/never) S(/never) A(200) refused(cannotShowMIMEType /never)")
    #expect(!site.requestLines().contains { $0.contains(" /never ") })
    #expect(try await page.load(site.url("/a")) == "W(/a) S(/a) A(200) C(/a) D F(/a)")
  }

  @Test func aStopEndsAFetchAndTheNextLoadIsToldWhole() async throws {
    let page = try EngineHarness.page()
    let path = heldPath()
    page.page.load(request("PUT", path))
    try await page.wait("start") { $0.contains { if case .started = $0 { true } else { false } } }
    #expect(page.page.isLoading && page.page.url == site.url(path))
    #expect(try await page.after { $0.stopLoading() } == "failed(cancelled \(path))")
    #expect(!page.page.isLoading && page.page.url == nil)
    site.release(path)
    #expect(try await page.load(site.url("/a")) == "W(/a) S(/a) A(200) C(/a) D F(/a)")
  }

  @Test func aNavigationOfThePageTakesThePlaceOfAFetch() async throws {
    let page = try EngineHarness.page()
    let path = heldPath()
    try await page.load(site.url("/a"))
    page.forget()
    page.page.load(request("PUT", path))
    try await page.wait("start") { $0.contains { if case .started = $0 { true } else { false } } }
    page.forget()
    _ = page.begin("location.href = '/b'")
    try await page.waitForEnd()
    #expect(page.story == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    site.release(path)
    await page.settle()
    #expect(page.page.url == site.url("/b"))
    #expect(page.story == "W(/b) S(/b) A(200) C(/b) D F(/b)")
  }

  @Test func theEndOfTheProcessEndsAFetch() async throws {
    let page = try EngineHarness.page()
    let path = heldPath()
    try await page.load(site.url("/a"))
    page.forget()
    page.page.load(request("PUT", path))
    try await page.wait("start") { $0.contains { if case .started = $0 { true } else { false } } }
    page.forget()
    page.page.terminateWebProcess()
    try await page.waitForEnd()
    #expect(page.story == "gone(requested)")
    #expect(!page.page.isLoading)
    site.release(path)
    for method in ["PUT", "POST"] {
      #expect(try await page.after { $0.load(request(method, "/a")) }.hasSuffix("C(/a) D F(/a)"))
      page.forget()
      page.page.terminateWebProcess()
      try await page.waitForEnd()
    }
  }

  @Test func theHistoryKeepsItsLimitAndItsOrder() async throws {
    let (page, own) = try EngineHarness.pageOfTheEngine()
    try await page.load(site.url("/first"))
    _ = await page.json("for (let i = 2; i < 100; i++) history.pushState(i, '', '/s' + i)")
    await page.settle()
    for number in 1...3 { try await page.after { $0.load(request("POST", "/p\(number)", body: [1])) } }
    let list = webkit_web_view_get_back_forward_list(own.view)
    #expect(webkit_back_forward_list_get_length(list) == 100)
    let history = page.page.backForwardList
    #expect(history.backList.first?.url == site.url("/s3"))
    #expect(history.backList.suffix(3).map(\.url) == ["/s99", "/p1", "/p2"].map(site.url))
    #expect(page.page.canGoBack && !page.page.canGoForward)
    _ = try await page.after { _ = $0.goBack() }
    #expect(page.page.url == site.url("/p2"))
  }
}
