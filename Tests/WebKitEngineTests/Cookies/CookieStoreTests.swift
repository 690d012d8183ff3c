import Foundation
import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct CookieStoreTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  @Test func cookiesGoBothWays() async throws {
    let store = try EngineHarness.engine().makeEphemeralStore()
    #expect(try await store.cookies().isEmpty)
    let expires = Date(timeIntervalSince1970: Double(Int(Date().timeIntervalSince1970)) + 3600)
    let cookie = Cookie(
      name: "n", value: "v", domain: "127.0.0.1", path: "/", isHTTPOnly: true, expiresDate: expires,
      sameSite: .lax)
    try await store.add(cookie)
    #expect(try await store.cookies() == [cookie])
    let page = try EngineHarness.page(in: store)
    try await page.load(site.url("/echo"))
    #expect(await page.json("return /Cookie: (.*)/.exec(document.body.innerText)[1]") == "\"n=v\"")
    #expect(await page.json("return document.cookie") == "\"\"")
    try await page.load(site.url("/cookie"))
    let names = try await store.cookies(for: site.url("/")).map(\.name).sorted()
    #expect(names == ["a", "n", "s"])
    #expect(try await store.cookies(for: "http://other.test/").isEmpty)
    try await store.delete(cookie)
    #expect(try await store.cookies().map(\.name).sorted() == ["a", "s"])
    let other = try EngineHarness.engine().makeEphemeralStore()
    #expect(try await other.cookies().isEmpty)
  }

  @Test func aStoreMayGoWhileItIsAsked() async throws {
    for _ in 0..<15 {
      var store: (any EngineStore)? = try EngineHarness.engine().makeEphemeralStore()
      let asked = Task { @PageActor [store] in try await store?.cookies() }
      // Begun, and then nobody waits for it.
      for _ in 0..<3 { await Task.yield() }
      asked.cancel()
      store = nil
      _ = await asked.result
    }
    // Asked after them, so told after them.
    #expect(try await EngineHarness.engine().makeEphemeralStore().cookies().isEmpty)
  }

  @Test func persistentCookiesAreForTheOwnerOnlyAndSurviveTheStore() async throws {
    let directory = NSTemporaryDirectory() + "webview-cookies-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let engine = try EngineHarness.engine()
    do {
      let store = try engine.makePersistentStore(directory: directory)
      #expect(!store.isEphemeral)
      try await store.add(
        Cookie(name: "kept", value: "1", domain: ".example.test", expiresDate: Date() + 3600))
      _ = try await store.cookies()
    }
    let mode =
      try FileManager.default.attributesOfItem(atPath: directory + "/cookies.sqlite")[.posixPermissions]
      as? Int
    #expect(mode == 0o600)
    let again = try engine.makePersistentStore(directory: directory)
    #expect(try await again.cookies().map(\.name) == ["kept"])
  }
}
