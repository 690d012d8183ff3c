import Foundation
import WebViewCore

/// An engine whose pages load at once and whose scripts answer what a test decides.
@PageActor
final class StubEngine: WebEngine {
  nonisolated init() {}
  var pages: [StubPage] = []
  nonisolated var information: EngineInformation { Self.information }
  nonisolated static let information = EngineInformation(
    name: "Stub", version: "1", userAgent: "Stub/1", sandbox: .off, sandboxReason: "a test", display: nil)
  var defaultSettings: WebViewSettings { WebViewSettings() }

  func makeEphemeralStore() throws -> any EngineStore { StubStore(isEphemeral: true) }
  func makePersistentStore(directory: String) throws -> any EngineStore { StubStore(isEphemeral: false) }
  func makePage(in store: any EngineStore, viewport: Viewport) throws -> any EnginePage {
    let page = StubPage()
    page.settings.viewport = viewport
    pages.append(page)
    return page
  }
  func parseURL(_ text: String) -> ParsedURL? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    return ParsedURL(text: text, scheme: text[..<colon].lowercased())
  }
  func shutDown() async {}
}

@PageActor
final class StubPage: EnginePage {
  weak var delegate: (any EnginePageDelegate)?
  var url: String?
  var title: String?
  var isLoading = false
  var estimatedProgress: Double = 0
  var canGoBack: Bool { false }
  var canGoForward: Bool { false }
  var hasOnlySecureContent: Bool { false }
  var hasInsecureContent: Bool { false }
  var processIdentifier: Int32? { nil }
  var settings = WebViewSettings()
  var htmlText: String? = "<html></html>"
  /// What evaluate answers; nil: nothing, until `settle`.
  var scriptResult: Result<JavaScriptResult, EvaluationFailure>? = .success(.json("2"))
  private(set) var calls: [JavaScriptCall] = []
  private var waiting: [@PageActor (Result<JavaScriptResult, EvaluationFailure>) -> Void] = []

  func apply(_ patch: SettingsPatch) async {
    if let agent = patch.customUserAgent { settings.customUserAgent = agent }
    if let zoom = patch.pageZoom { settings.pageZoom = zoom }
    if let viewport = patch.viewport { settings.viewport = viewport }
  }

  func load(_ content: LoadContent) {
    let url =
      switch content {
      case .url(let url): url
      case .html(_, let base): base ?? "about:blank"
      case .data(_, _, _, let base): base
      case .file(let path, _): "file://" + path
      case .request(let request), .simulated(let request, _): request.url
      }
    Task { @PageActor in self.finishLoad(url) }
  }
  private func finishLoad(_ url: String) {
    emit(.willNavigate(url: url, isRedirect: false))
    emit(.started(url: url))
    self.url = url
    emit(
      .responded(
        MainResourceResponse(
          url: url, status: 200, headers: [.init(name: "Content-Type", value: "text/html")],
          mimeType: "text/html",
          encoding: "utf-8")))
    emit(.committed(url: url))
    emit(.domContentLoaded)
    emit(.finished(url: url))
  }
  func emit(_ event: EnginePageEvent) { delegate?.page(self, did: event) }
  func reload(fromOrigin: Bool) { if let url { Task { @PageActor in self.finishLoad(url) } } }
  func stopLoading() {}
  func loadAgain() {}
  func goBack() -> Bool { false }
  func goForward() -> Bool { false }
  /// Where it can go.
  var backForwardList = BackForwardList()
  func go(to item: HistoryItemID) -> Bool {
    guard let url = backForwardList.backList.first(where: { $0.id == item })?.url else { return false }
    Task { @PageActor in self.finishLoad(url) }
    return true
  }

  func evaluate(
    _ call: JavaScriptCall,
    completion: @escaping @PageActor (Result<JavaScriptResult, EvaluationFailure>) -> Void
  ) {
    calls.append(call)
    if let scriptResult { completion(scriptResult) } else { waiting.append(completion) }
  }
  var networkQuiet: Duration? { .zero }
  var serverTrust: ServerTrust?
  /// There is whatever is looked for, but with a `[` it is no selector.
  func find(
    _ state: ElementState, _ selector: String,
    completion: @escaping @PageActor (Result<ElementAnswer, EvaluationFailure>) -> Void
  ) { completion(.success(selector.contains("[") ? .notASelector : .yes)) }
  func settle(completion: @escaping @PageActor (Result<[String], EvaluationFailure>) -> Void) {
    completion(.success([]))
  }
  var isWaiting: Bool { !waiting.isEmpty }
  func settle(_ result: JavaScriptResult) {
    let completions = waiting
    waiting = []
    for completion in completions { completion(.success(result)) }
  }
  func html(completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void) {
    completion(.success(htmlText))
  }
  var mainResource: [UInt8] = []
  func mainResourceData(completion: @escaping @PageActor (Result<[UInt8], EvaluationFailure>) -> Void) {
    completion(.success(mainResource))
  }
  func probe(completion: @escaping @PageActor () -> Void) { completion() }
  func addMessageHandler(_ handler: MessageHandlerRegistration) -> Bool { true }
  func removeMessageHandler(name: String, contentWorld: ContentWorld) {}
  func snapshot(
    _ request: SnapshotRequest,
    completion: @escaping @PageActor (Result<any EngineImage, ServiceError>) -> Void
  ) { completion(.success(StubImage())) }
  func terminateWebProcess() { emit(.processTerminated(.requested)) }
  func close() {}
}

struct StubImage: EngineImage {
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  let width = 1, height = 1
  func encodePNG() throws -> [UInt8] { Self.png }
}

@PageActor
final class StubStore: EngineStore {
  nonisolated let isEphemeral: Bool
  private var jar: [Cookie] = []
  nonisolated init(isEphemeral: Bool) { self.isEphemeral = isEphemeral }
  func cookies() async throws -> [Cookie] { jar }
  func cookies(for url: String) async throws -> [Cookie] { jar }
  func add(_ cookie: Cookie) async throws { jar.append(cookie) }
  func delete(_ cookie: Cookie) async throws {
    jar.removeAll { $0.name == cookie.name && $0.domain == cookie.domain }
  }
}

struct StubProfiles: ProfileStoring {
  func directory(ofProfile name: String) async throws -> String { NSTemporaryDirectory() }
}
