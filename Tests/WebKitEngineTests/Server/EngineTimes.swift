import Foundation
import Testing
import WebViewCore

/// Prints how long things take; run by hand with WEBVIEW_TIMES=1.
@PageActor
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["WEBVIEW_TIMES"] != nil))
struct EngineTimes {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  private func measure(_ name: String, _ count: Int, _ body: @PageActor () async throws -> Void)
    async rethrows
  {
    var times: [Double] = []
    for _ in 0..<count {
      let start = ContinuousClock.now
      try await body()
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    times.sort()
    print(name, "p50", times[count / 2], "p99", times[count * 99 / 100])
  }

  @Test func times() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    await measure("evaluate 1+1", 1000) { _ = await page.evaluate("return 1+1") }
    await measure("evaluate object, arguments", 1000) {
      _ = await page.json("return {a: [x, 'y']}") { $0.arguments = [.init(name: "x", value: 1)] }
    }
    await measure("evaluate typed", 1000) {
      _ = await page.json("return [1, {a: 2}]") { $0.resultMode = .typed }
    }
    await measure("html", 200) {
      _ = await withCheckedContinuation { done in page.page.html { done.resume(returning: $0) } }
    }
    try await measure("load", 50) { try await page.load(site.url("/a")) }
    for (name, body) in [
      ("text", "<p>" + String(repeating: "Lorem ipsum dolor sit amet consetetur sadipscing ", count: 300)),
      (
        "gradient",
        "<style>body{margin:0;height:800px;background:radial-gradient(circle at 30% 40%,#f80,#08f,#0f4)}</style>"
      ),
    ] {
      _ = try await page.after { $0.load(.html(body, baseURL: nil)) }
      var image: (any EngineImage)?
      await measure("snapshot \(name)", 50) {
        image = try? await withCheckedContinuation { done in
          page.page.snapshot(SnapshotRequest()) { done.resume(returning: $0) }
        }.get()
      }
      try await measure("png \(name) \(image?.encodePNG().count ?? 0) bytes", 20) {
        _ = try image?.encodePNG()
      }
    }
    try await measure("create, load, close", 20) {
      let page = try EngineHarness.page()
      try await page.load(site.url("/a"))
      page.page.close()
    }
    let store = try EngineHarness.engine().makeEphemeralStore()
    try await measure("create in a warm store, load, close", 20) {
      let page = try EngineHarness.page(in: store)
      try await page.load(site.url("/a"))
      page.page.close()
    }
  }
}
