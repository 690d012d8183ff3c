import CWebKit
import Testing
import WebViewCore

@testable import WebKitEngine
@testable import WebProcessCore

@PageActor
@Suite(.serialized) struct PageMessageTests {
  @Test func whatAPageDoesNotUnderstandHasNoEffect() async throws {
    let site = try FixtureSite.shared.get()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    try await page.load(site.url("/a"))
    let process = page.page.processIdentifier
    let known = PageMessage.navigationHeaders.name
    own.send(PageMessage(name: "unknown", type: "s"), Variant.string("x"))
    own.send(PageMessage(name: known, type: "s"), Variant.string("x"))
    own.send(PageMessage(name: known, type: "(s)"), Variant.tuple([Variant.string("x")]))
    own.send(PageMessage(name: "", type: "()"), Variant.tuple([]))
    webkit_web_view_send_message_to_page(own.view, webkit_user_message_new(known, nil), nil, nil, nil)
    let odd = [("", "a"), ("X-Odd", "a\r\nX-Other: b"), ("X-Even", "b")].map {
      Variant.tuple([Variant.string($0), Variant.string($1)])
    }
    own.send(
      .navigationHeaders, Variant.tuple([Variant.string(site.url("/a?odd")), Variant.array(of: "(ss)", odd)]))
    try await page.load(site.url("/a?odd"))
    #expect(await page.json("return document.title") == "\"/a?odd\"")
    #expect(page.page.processIdentifier == process)
    #expect(!site.requestLines().contains { $0.contains("X-Other") })
    #expect(site.requestLines().contains { $0.contains("\r\nX-Even: b\r\n") })
  }
}
