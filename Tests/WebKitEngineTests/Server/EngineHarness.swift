import Foundation
import GLibBridge
import WebViewCore

@testable import WebKitEngine

/// Runs before `main`: whichever test is first to touch the page actor, of whatever target in this process,
/// finds the executor of the loop there.
@section(".init_array") @used
private let takePageActor: @convention(c) () -> Void = { EngineHarness.startLoop() }

/// GTK and WebKit on a thread of their own: the test runner keeps the main thread.
enum EngineHarness {
  struct Failure: Error, CustomStringConvertible { var description: String }

  private static let loop = LoopExecutor()

  static func startLoop() {
    PageActor.install(loop)
    let thread = Thread {
      loop.bindToCurrentThread()
      MainLoop.run()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  @PageActor private static let started = Result<WebKitEngine, Failure> {
    () throws(Failure) in
    do {
      // The display dies with the thread that started it, which is the loop's.
      let display = try Xvfb.start(reapedBy: loop)
      setenv("DISPLAY", display.display, 1)
      return try WebKitEngine.start(loop: loop)
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  @PageActor static func engine() throws -> WebKitEngine { try started.get() }

  /// One more, on the same display.
  @PageActor static func engineWithoutSandbox() throws -> WebKitEngine {
    _ = try engine()
    var options = WebKitEngine.Options()
    options.sandbox = false
    return try WebKitEngine.start(loop: loop, options: options)
  }

  /// A page in a store of its own that records what it tells.
  @PageActor
  static func page(viewport: Viewport = .standard, in store: (any EngineStore)? = nil) throws -> TestPage {
    let engine = try engine()
    return TestPage(try engine.makePage(in: store ?? engine.makeEphemeralStore(), viewport: viewport))
  }

  /// The same, with the engine's own class of it, for what no port shows.
  @PageActor
  static func pageOfTheEngine() throws -> (TestPage, WebKitPage) {
    let page = try page()
    guard let own = page.page as? WebKitPage else { throw Failure(description: "the page is no WebKitPage") }
    return (page, own)
  }

  /// Waits for the kernel's word that processes ended.
  static func gone(_ processes: [Int32]) async throws {
    try await until("the processes are gone") {
      processes.allSatisfy { WebProcesses.startTime(of: $0) == nil }
    }
  }

  /// For what nobody tells; the deadline is only for a test that fails.
  static func until(_ what: String, _ isSo: @PageActor () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(15)
    while await !isSo() {
      guard ContinuousClock.now < end else { throw Failure(description: "not so: \(what)") }
      // Not at once again: the loop has other things to do.
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}

/// A page with its story.
@PageActor
final class TestPage: EnginePageDelegate {
  struct Timeout: Error, CustomStringConvertible { var description: String }

  let page: any EnginePage
  private(set) var events: [EnginePageEvent] = []
  var onMessage: (ScriptMessage, @escaping @PageActor (ScriptMessageReply) -> Void) -> Void = { _, reply in
    reply(.undefined)
  }
  private var waiters:
    [(test: ([EnginePageEvent]) -> Bool, continuation: CheckedContinuation<Bool, Never>, id: Int)] = []
  private var ids = 0

  init(_ page: any EnginePage) {
    self.page = page
    page.delegate = self
  }

  isolated deinit { page.close() }

  func page(_ page: any EnginePage, did event: EnginePageEvent) {
    events.append(event)
    let met = waiters.filter { $0.test(events) }
    waiters.removeAll { waiter in met.contains { $0.id == waiter.id } }
    for waiter in met { waiter.continuation.resume(returning: true) }
  }

  func page(
    _ page: any EnginePage, didReceive message: ScriptMessage,
    reply: @escaping @PageActor (ScriptMessageReply) -> Void
  ) { onMessage(message, reply) }

  /// Waits until the story holds something; the deadline is only for a test that fails.
  func wait(_ what: String = "an event", until test: @escaping ([EnginePageEvent]) -> Bool) async throws {
    if test(events) { return }
    ids += 1
    let id = ids
    let isMet = await withCheckedContinuation { continuation in
      waiters.append((test, continuation, id))
      Task { @PageActor [weak self] in
        try? await Task.sleep(for: .seconds(20))
        self?.giveUp(id)
      }
    }
    guard isMet else { throw Timeout(description: "no \(what) in: \(story)") }
  }

  private func giveUp(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }

  func waitForEnd() async throws { try await wait("end of the navigation") { $0.contains(where: \.isEnd) } }

  /// Forgets the story, does something, and waits for the end of a navigation.
  @discardableResult
  func after(_ action: @PageActor (any EnginePage) -> Void) async throws -> String {
    events = []
    action(page)
    try await waitForEnd()
    return story
  }

  @discardableResult
  func load(_ url: String) async throws -> String { try await after { $0.load(.url(url)) } }

  /// When everything that was asked of the page before has been told, or the page does not answer.
  func settle() async {
    for _ in 0..<3 {
      let answer = Answer<Void>()
      page.probe { answer.give(()) }
      if await answer.value() == nil { return }
    }
  }

  func forget() { events = [] }

  /// One word for each event but `stateChanged`.
  var story: String { events.compactMap(\.word).joined(separator: " ") }

  func evaluate(_ code: String, _ change: (inout JavaScriptCall) -> Void = { _ in }) async -> Result<
    JavaScriptResult, EvaluationFailure
  > {
    await result(of: begin(code, change))
  }

  /// What the page will answer, or has answered.
  @PageActor
  final class Answer<Value: Sendable> {
    private(set) var result: Value?
    private var waiting: CheckedContinuation<Value?, Never>?

    fileprivate func give(_ value: Value) {
      result = value
      settle()
    }

    private func settle() {
      waiting?.resume(returning: result)
      waiting = nil
    }

    /// nil when none came; the deadline is only for a test that fails.
    fileprivate func value() async -> Value? {
      if let result { return result }
      let deadline = Task { @PageActor in
        try await Task.sleep(for: .seconds(30))
        settle()
      }
      defer { deadline.cancel() }
      return await withCheckedContinuation { waiting = $0 }
    }
  }

  typealias Call = Answer<Result<JavaScriptResult, EvaluationFailure>>

  /// A call that is on its way to the page when this returns.
  func begin(_ code: String, _ change: (inout JavaScriptCall) -> Void = { _ in }) -> Call {
    var made = JavaScriptCall(.functionBody(code))
    change(&made)
    let call = Call()
    page.evaluate(made) { call.give($0) }
    return call
  }

  func result(of call: Call) async -> Result<JavaScriptResult, EvaluationFailure> {
    await call.value() ?? .failure(.engine("The page does not answer."))
  }

  func json(_ code: String, _ change: (inout JavaScriptCall) -> Void = { _ in }) async -> String {
    await json(of: begin(code, change))
  }

  func json(of call: Call) async -> String {
    switch await result(of: call) {
    case .success(.json(let text)), .success(.typed(let text)): text
    case .success(let other): "\(other)"
    case .failure(.exception(let exception)): "\(exception.name): \(exception.message)"
    case .failure(let failure): "\(failure)"
    }
  }
}

extension EnginePageEvent {
  var isEnd: Bool {
    switch self {
    case .finished, .failed, .overtaken, .responseRefused, .processTerminated, .sameDocumentNavigation: true
    default: false
    }
  }

  var word: String? {
    func short(_ url: String) -> String {
      guard url.hasPrefix("http://127.0.0.1:"), let slash = url.dropFirst(7).firstIndex(of: "/") else {
        return url
      }
      return String(url[slash...])
    }
    return switch self {
    case .willNavigate(let url, let isRedirect, _): "\(isRedirect ? "w" : "W")(\(short(url)))"
    case .started(let url): "S(\(short(url)))"
    case .redirected(let url, let status, let from): "R(\(status ?? 0) \(short(from))>\(short(url)))"
    case .responded(let response): "A(\(response.status.map(String.init) ?? "nil"))"
    case .committed(let url): "C(\(short(url)))"
    case .domContentLoaded: "D"
    case .finished(let url): "F(\(short(url)))"
    case .failed(let error, let url): "failed(\(error.code) \(short(url)))"
    case .overtaken(let url, let isStubborn): "\(isStubborn ? "stubborn" : "overtaken")(\(short(url)))"
    case .restarted: "again"
    case .responseRefused(let error, let url): "refused(\(error.code) \(short(url)))"
    case .sameDocumentNavigation(let url): "same(\(short(url)))"
    case .handedOver: "K"
    case .documentReplaced: "other-document"
    case .stateChanged, .historyChanged: nil
    case .processTerminated(let reason): "gone(\(reason))"
    }
  }
}
