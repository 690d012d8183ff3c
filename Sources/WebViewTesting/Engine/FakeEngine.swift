import WebViewCore

/// An engine without a browser.
@PageActor
public final class FakeEngine: WebEngine {
  public let information = EngineInformation(
    name: "FakeEngine", version: "1.0", userAgent: "Fake/1.0", sandbox: .off,
    sandboxReason: "There is nothing to box.",
    display: nil)
  public let defaultSettings = WebViewSettings()
  public private(set) var pages: [FakePage] = []
  public private(set) var stores: [FakeStore] = []
  public private(set) var isShutDown = false
  /// Thrown by `makePage`.
  public var refusal: ServiceError?
  /// Done to each new page.
  public var prepare: (@PageActor (FakePage) -> Void)?

  public nonisolated init() {}

  public func makeEphemeralStore() throws -> any EngineStore { makeStore(isEphemeral: true, directory: nil) }
  public func makePersistentStore(directory: String) throws -> any EngineStore {
    makeStore(isEphemeral: false, directory: directory)
  }
  private func makeStore(isEphemeral: Bool, directory: String?) -> FakeStore {
    let store = FakeStore(isEphemeral: isEphemeral, directory: directory)
    stores.append(store)
    return store
  }

  public func makePage(in store: any EngineStore, viewport: Viewport) throws -> any EnginePage {
    if let refusal { throw refusal }
    let page = FakePage(viewport: viewport)
    prepare?(page)
    pages.append(page)
    return page
  }

  public func parseURL(_ text: String) -> ParsedURL? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
      text[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return nil }
    let scheme = text[..<colon].lowercased()
    if scheme == "http" || scheme == "https", !text[colon...].hasPrefix("://") { return nil }
    return ParsedURL(text: scheme + text[colon...], scheme: scheme)
  }

  public func shutDown() async { isShutDown = true }
}

/// A jar in memory.
@PageActor
public final class FakeStore: EngineStore {
  public let isEphemeral: Bool
  public let directory: String?
  public var jar: [Cookie] = []
  /// What the jar drops silently.
  public var drops: (Cookie) -> Bool = { _ in false }
  /// Calls never return.
  public var hangs = false

  init(isEphemeral: Bool, directory: String?) {
    self.isEphemeral = isEphemeral
    self.directory = directory
  }

  public func cookies() async throws -> [Cookie] {
    try await pass()
    return jar
  }
  public func cookies(for url: String) async throws -> [Cookie] {
    try await pass()
    let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    return jar.filter { $0.domain == host || ($0.domain.hasPrefix(".") && ("." + host).hasSuffix($0.domain)) }
  }
  public func add(_ cookie: Cookie) async throws {
    try await pass()
    guard !drops(cookie) else { return }
    try await delete(cookie)
    jar.append(cookie)
  }
  public func delete(_ cookie: Cookie) async throws {
    try await pass()
    jar.removeAll { $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path }
  }

  private func pass() async throws {
    if hangs { try await Task.sleep(for: .seconds(3600)) }
  }
}
