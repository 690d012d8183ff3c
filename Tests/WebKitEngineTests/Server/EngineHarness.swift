import Foundation
import GLibBridge
import WebKitEngine
import WebViewCore

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

  /// A page in a store of its own that records what it tells.
  @PageActor
  static func page(viewport: Viewport = .standard, in store: (any EngineStore)? = nil) throws -> TestPage {
    let engine = try engine()
    return TestPage(try engine.makePage(in: store ?? engine.makeEphemeralStore(), viewport: viewport))
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

  /// When everything that was asked of the page before has been told.
  func settle() async {
    for _ in 0..<3 { await withCheckedContinuation { done in page.probe { done.resume() } } }
  }

  func forget() { events = [] }

  /// One word for each event but `stateChanged`.
  var story: String { events.compactMap(\.word).joined(separator: " ") }

  func evaluate(_ code: String, _ change: (inout JavaScriptCall) -> Void = { _ in }) async -> Result<
    JavaScriptResult, EvaluationFailure
  > {
    var call = JavaScriptCall(.functionBody(code))
    change(&call)
    let made = call
    return await withCheckedContinuation { done in page.evaluate(made) { done.resume(returning: $0) } }
  }

  /// A call that is on its way to the page when this returns.
  final class Call {
    fileprivate(set) var result: Result<JavaScriptResult, EvaluationFailure>?
    fileprivate var waiting: CheckedContinuation<Result<JavaScriptResult, EvaluationFailure>, Never>?
  }

  func begin(_ code: String) -> Call { begin(JavaScriptCall(.functionBody(code))) }

  func begin(_ made: JavaScriptCall) -> Call {
    let call = Call()
    page.evaluate(made) { result in
      call.result = result
      call.waiting?.resume(returning: result)
      call.waiting = nil
    }
    return call
  }

  func result(of call: Call) async -> Result<JavaScriptResult, EvaluationFailure> {
    if let result = call.result { return result }
    return await withCheckedContinuation { call.waiting = $0 }
  }

  func json(_ code: String, _ change: (inout JavaScriptCall) -> Void = { _ in }) async -> String {
    switch await evaluate(code, change) {
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
    case .finished, .failed, .responseRefused, .processTerminated, .sameDocumentNavigation: true
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
    case .willNavigate(let url, let isRedirect): "\(isRedirect ? "w" : "W")(\(short(url)))"
    case .started(let url): "S(\(short(url)))"
    case .redirected(let url, let status, let from): "R(\(status ?? 0) \(short(from))>\(short(url)))"
    case .responded(let response): "A(\(response.status.map(String.init) ?? "nil"))"
    case .committed(let url): "C(\(short(url)))"
    case .domContentLoaded: "D"
    case .finished(let url): "F(\(short(url)))"
    case .failed(let error, let url): "failed(\(error.code) \(short(url)))"
    case .responseRefused(let error, let url): "refused(\(error.code) \(short(url)))"
    case .sameDocumentNavigation(let url): "same(\(short(url)))"
    case .stateChanged: nil
    case .processTerminated(let reason): "gone(\(reason))"
    }
  }
}
