import Foundation
import Testing
import WebViewTesting

@testable import WebViewAPI
@testable import WebViewCore

/// Each operation on a controller whose engine and files never answer.
@PageActor
@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
  nonisolated static let operations = OperationTable.all.filter {
    $0.kind == .request && $0.path.contains("{controllerId}")
  }
  /// They wait for nothing.
  static let immediate: Set = [
    "createTicket", "getController", "disposeController", "getState", "getSettings", "stopLoading",
    "addScriptMessageHandler", "listScriptMessageHandlers", "removeScriptMessageHandler", "replyToCallback",
    "getNavigation", "getServerTrust", "getBackForwardList",
  ]
  /// They end by themselves, with nothing to tell.
  static let polls: Set = ["listEvents", "listCallbacks"]
  static let seconds = 300.0

  /// Inputs that make an operation wait.
  private static let inputs: [String: JSONObject] = [
    "waitForLoad": ["after": "n1"], "loadHTML": ["html": "x"], "loadFile": ["path": "a.html"],
    "listEvents": ["poll": 300, "types": ["redirect"]], "listCallbacks": ["poll": 300], "stopLoading": [:],
    "listControllers": [:],
    // Their own end comes later.
    "loadRequest": ["url": "http://site.test/", "timeoutInterval": 86400],
    "loadSimulatedRequest": [
      "request": ["url": "http://site.test/", "timeoutInterval": 86400], "html": "x",
    ],
  ]

  private final class Outcome {
    var result: Result<PendingResult, any Error>?
  }

  private func begin(
    _ operation: WebViewAPI.Operation, _ bench: TestBench, _ id: ControllerID? = nil
  ) throws -> Outcome {
    var body = try Self.inputs[operation.id] ?? OperationTableTests.input(operation.id)
    body["timeout"] = JSONValue(Self.seconds)
    var path = id.map { ["controllerId": $0.text] } ?? [:]
    for name in ["name", "callbackId", "navigationId", "itemId"] where operation.path.contains("{\(name)}") {
      path[name] = "n1"
    }
    var input = try OperationInput(path: path, body: body)
    let context = OperationContext(
      services: bench.services(), documents: APIDocuments(openAPI: [], asyncAPI: []), requestID: "t")
    let outcome = Outcome()
    guard case .page(let run) = try operation.prepare(&input, context) else {
      throw ServiceError(.internalError, "\(operation.id) does not run on the page actor.")
    }
    Task {
      do { outcome.result = .success(try await run()) } catch { outcome.result = .failure(error) }
    }
    return outcome
  }

  /// What never comes true ends with the test's time limit.
  private func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
  }

  @Test("What waits ends at its timeout, and not before", arguments: operations)
  func deadline(operation: WebViewAPI.Operation) async throws {
    let held = HeldWork()
    defer { held.release() }
    let bench = TestBench(
      files: try FilesDirectory(root: NSTemporaryDirectory()), background: held.work)
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("http://site.test/")
    _ = try await controller.load(.url("http://site.test/"), deadline: Deadline(seconds: 60))
    page.script = nil
    page.document = nil
    page.image = nil
    page.mainResource = nil
    page.backForwardList.currentItem = HistoryItem(
      id: HistoryItemID(text: "n1"), url: "http://site.test/", initialURL: "http://site.test/", title: nil)
    page.answersProbes = false
    page.hangsApplying = true
    page.canGoBack = true
    page.canGoForward = true
    bench.engine.stores.last?.hangs = true

    let outcome = try begin(operation, bench, controller.id)
    if Self.immediate.contains(operation.id) {
      await until { outcome.result != nil }
      if case .failure(let error)? = outcome.result {
        #expect((error as? ServiceError)?.code == .notFound, "\(error)")
      }
      return
    }
    // From its first step on this actor to its wait nothing else runs.
    await until { controller.idleTime == 0 || outcome.result != nil }
    #expect(outcome.result == nil)
    bench.clock.advance(by: .seconds(Self.seconds - 100))
    for _ in 0..<100 { await Task.yield() }
    #expect(outcome.result == nil, "\(operation.id) ended before its timeout")
    bench.clock.advance(by: .seconds(100))
    await until { outcome.result != nil }
    switch outcome.result {
    case .success?: #expect(Self.polls.contains(operation.id))
    case .failure(let error)?:
      #expect((error as? ServiceError)?.code == .timeout, "\(error)")
      #expect(!Self.polls.contains(operation.id))
    case nil: Issue.record("no outcome")
    }
  }

  @Test("The list of controllers ends at its timeout when the system does not tell of their processes")
  func list() async throws {
    let held = HeldWork()
    defer { held.release() }
    let bench = TestBench(background: held.work)
    let (_, page) = try await bench.makeController()
    page.processIdentifier = getpid()
    let outcome = try begin(try #require(OperationTable.byID["listControllers"]), bench)
    await until { held.isHolding || outcome.result != nil }
    bench.clock.advance(by: .seconds(Self.seconds))
    await until { outcome.result != nil }
    guard case .failure(let error)? = outcome.result else {
      Issue.record("It has an answer.")
      return
    }
    #expect((error as? ServiceError)?.code == .timeout, "\(error)")
  }
}
