import CWebKit
import Foundation
import GLibBridge
import Testing
import WebViewCore

@testable import WebKitEngine

/// What becomes of a load that a content rule blocks, with rules as a client would have them attached.
@PageActor
@Suite(.serialized) struct ContentRuleTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  /// A page that loads nothing whose path begins with `/blocked`, and shows `/a`.
  private func page() async throws -> TestPage {
    let (page, own) = try EngineHarness.pageOfTheEngine()
    let directory = NSTemporaryDirectory() + "content-rules-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let compiler = webkit_user_content_filter_store_new(directory)!
    defer { g_object_unref(compiler.raw) }
    let rules = Array(
      #"[{"trigger":{"url-filter":"^http://127\\.0\\.0\\.1:[0-9]+/blocked"},"action":{"type":"block"}}]"#.utf8
    )
    let source = rules.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }!
    defer { g_bytes_unref(source) }
    let (given, bytes) = (OneThread(compiler), OneThread(source))
    let filter = try await awaitResult {
      webkit_user_content_filter_store_save(given.value, "blocks", bytes.value, $0, $1, $2)
    } finish: { result, error in
      webkit_user_content_filter_store_save_finish(given.value, result, &error).map { OneThread($0) }
    }
    webkit_user_content_manager_add_filter(own.content, filter.value)
    webkit_user_content_filter_unref(filter.value)
    try await page.load(site.url("/a"))
    return page
  }

  private func request(_ method: String, _ path: String) -> LoadContent {
    .request(
      LoadRequest(url: site.url(path), method: method, body: method == "GET" ? nil : Array("a=1".utf8)))
  }

  /// Ends as blocked, shows what was there, asks the site for nothing, and the next load works.
  private func isBlocked(_ page: TestPage, _ story: String, _ wanted: String, _ path: String) async throws {
    #expect(story == wanted)
    await page.settle()
    #expect(page.story == story, "nothing more is told of it")
    #expect(!page.page.isLoading && page.page.url == site.url("/a"))
    #expect(await page.json("return document.title") == "\"/a\"")
    #expect(!site.requestLines().contains { $0.contains(" \(path) ") })
    #expect(try await page.load(site.url("/a?next")).hasSuffix("F(/a?next)"))
    try await page.load(site.url("/a"))
  }

  @Test(arguments: ["GET", "POST"])
  func aBlockedDocumentIsNotAskedFor(method: String) async throws {
    let page = try await page()
    let path = "/blocked?\(UUID())"
    let story = try await page.after { $0.load(request(method, path)) }
    try await isBlocked(page, story, "W(\(path)) S(\(path)) failed(blockedByContentRule \(path))", path)
  }

  /// WebKit follows a redirect only after its rules let it, and tells nothing of one that they do not; one that is
  /// fetched is told before WebKit has it.
  @Test(arguments: [("GET", 302), ("PUT", 303)])
  func aRedirectDoesNotLeadToABlockedDocument(method: String, status: Int) async throws {
    let page = try await page()
    let path = "/blocked?\(UUID())"
    let from = "/redirect-to?\(status)=\(path)"
    let story = try await page.after { $0.load(request(method, from)) }
    let begun = "W(\(from)) S(\(from)) "
    let wanted =
      method == "GET"
      ? begun + "failed(blockedByContentRule \(from))"
      : begun
        + "w(\(path)) R(\(status) \(from)>\(path)) K W(\(path)) S(\(path)) failed(blockedByContentRule \(path))"
    try await isBlocked(page, story, wanted, path)
  }
}
