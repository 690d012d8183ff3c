import Foundation
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct FileAccessTests {
  /// A directory with a page that shows two pictures, one of them outside.
  private func files() throws -> (root: String, remove: () -> Void) {
    let root =
      URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
      + "/webview (files)+\(UUID().uuidString)"
    for directory in ["/in", "/in/sub", "/inside-not"] {
      try FileManager.default.createDirectory(atPath: root + directory, withIntermediateDirectories: true)
    }
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    for path in ["/in/sub/a.svg", "/out.svg", "/inside-not/b.svg"] {
      try svg.write(toFile: root + path, atomically: true, encoding: .utf8)
    }
    try "<title>file</title><img src='sub/a.svg'><img src='../out.svg'><img src='../inside-not/b.svg'>".write(
      toFile: root + "/in/page.html", atomically: true, encoding: .utf8)
    return (root, { try? FileManager.default.removeItem(atPath: root) })
  }
  private let widths =
    "await new Promise(r => setTimeout(r)); return [...document.images].map(i => i.naturalWidth)"

  @Test func aFileReadsOnlyWhatItMay() async throws {
    let (root, remove) = try files()
    defer { remove() }
    let page = try EngineHarness.page()
    let story = try await page.after {
      $0.load(.file(path: root + "/in/page.html", readAccess: root + "/in"))
    }
    #expect(story.hasPrefix("W(file:") && story.contains(" A(nil) ") && story.contains(" F(file:"))
    #expect(page.page.title == "file")
    #expect(await page.json(widths) == "[7,0,0]")
    try await page.after { $0.reload(fromOrigin: false) }
    #expect(await page.json(widths) == "[7,0,0]")
    try await page.after { $0.load(.file(path: root + "/in/page.html", readAccess: root + "/in/page.html")) }
    #expect(await page.json(widths) == "[0,0,0]")
    let missing = try await page.after {
      $0.load(.file(path: root + "/in/none.html", readAccess: root + "/in"))
    }
    #expect(missing.contains("failed(fileNotFound"))
  }

  @Test func aFileThatALinkLedToIsReloadedAndReturnedTo() async throws {
    let (root, remove) = try files()
    defer { remove() }
    try "<title>other</title><img src='sub/a.svg'><img src='../out.svg'>".write(
      toFile: root + "/in/other.html", atomically: true, encoding: .utf8)
    let page = try EngineHarness.page()
    try await page.after { $0.load(.file(path: root + "/in/page.html", readAccess: root + "/in")) }
    try await page.after { _ in Task { await page.json("location.href = 'other.html?q#f'") } }
    #expect(page.page.title == "other")
    try await page.after { $0.reload(fromOrigin: false) }
    #expect(page.page.title == "other" && page.story.contains(" F(file:"))
    #expect(await page.json(widths) == "[7,0]")
    try await page.after { _ = $0.goBack() }
    #expect(page.page.title == "file")
    try await page.after { _ = $0.goForward() }
    #expect(page.page.title == "other")
    #expect(await page.json(widths) == "[7,0]")
  }

  @Test func givenContentReadsNoFile() async throws {
    let (root, remove) = try files()
    defer { remove() }
    let page = try EngineHarness.page()
    let base = URL(fileURLWithPath: root + "/in/page.html").absoluteString
    try await page.after {
      $0.load(.html("<img src='sub/a.svg'><iframe src='\(base)'></iframe>", baseURL: base))
    }
    #expect(await page.json(widths) == "[0]")
  }
}
