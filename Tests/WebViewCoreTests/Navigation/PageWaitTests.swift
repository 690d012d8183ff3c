import Foundation
import Testing
import WebViewTesting

@testable import WebViewCore

/// Conditions of a page, with a page that says what the test decides.
@PageActor
@Suite(.timeLimit(.minutes(1))) struct PageWaitTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 600)

  private func loaded(_ bench: TestBench) async throws -> (controller: WebViewController, page: FakePage) {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    return (controller, page)
  }

  /// Lets time pass until the task is done.
  private func passing<Value: Sendable>(
    _ bench: TestBench, _ body: @escaping @PageActor @Sendable () async throws -> Value
  ) async throws -> Value {
    var isDone = false
    let task = Task {
      defer { isDone = true }
      return try await body()
    }
    while !isDone {
      bench.clock.advance(by: .milliseconds(10))
      await Task.yield()
    }
    return try await task.value
  }

  @Test(arguments: ElementState.allCases)
  func elementsAreLookedForUntilTheyAreThere(state: ElementState) async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    var looks = 0
    page.elements = { asked, selector in
      #expect(asked == state && selector == "#x")
      looks += 1
      return looks < 4 ? .no : .yes
    }
    let result = try await passing(bench) {
      try await controller.load(
        .url(url), wait: PageWait(.load, [.element(state, selector: "#x")]), deadline: soon)
    }
    #expect(result.isLoaded)
    #expect(looks == 4)
    #expect(bench.toldTypes.last == .loadFinish)
  }

  @Test func conditionsComeTrueOneAfterTheOther() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.evaluation = .success(.json("true"))
    page.elements = { state, _ in .yes }
    let conditions: [PageCondition] = [
      .element(.attached, selector: "a"), .element(.visible, selector: "b"),
      .element(.hidden, selector: "c"), .function("return window.ready"),
      .networkIdle(seconds: 0.2), .delay(seconds: 0.3),
    ]
    page.networkQuiet = .seconds(10)
    let start = bench.clock.now
    _ = try await passing(bench) {
      try await controller.load(.url(url), wait: PageWait(.commit, conditions), deadline: soon)
    }
    #expect(bench.clock.now.offset - start.offset >= .milliseconds(500))
    #expect(
      page.commands.compactMap {
        switch $0 {
        case .find(let state, let selector): "\(state) \(selector)"
        case .evaluate(let call): "\(call.code) \(call.resultMode) \(call.contentWorld)"
        default: nil
        }
      } == ["attached a", "visible b", "hidden c", #"functionBody("return window.ready") truth page"#])
  }

  @Test func whatIsNoSelectorIsRefusedByName() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.elements = { _, _ in .notASelector }
    let error = await #expect(throws: ServiceError.self) {
      try await controller.load(
        .url(url), wait: PageWait(.load, [.element(.visible, selector: "a[")]), deadline: soon)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["pointer"] == "/wait/visible")
  }

  @Test func aFunctionThatThrowsIsToldAtOnce() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.evaluation = .failure(.exception(JavaScriptException(name: "TypeError", message: "no")))
    let error = await #expect(throws: ServiceError.self) {
      try await controller.load(.url(url), wait: PageWait(.load, [.function("x.y")]), deadline: soon)
    }
    #expect(error?.code == .javaScriptError)
    #expect(error?.details["pointer"] == "/wait/function")
  }

  @Test func aLoadThatEndsBeforeItsEventIsAnsweredWithoutConditions() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = [.started(url: url), .failed(LoadError(.cannotConnect, "refused"), url: url)]
    for event in [LoadWait.none, .load, .commit] {
      let result = try await controller.load(
        .url(url), wait: PageWait(event, [.element(.attached, selector: "a")]), deadline: soon)
      #expect(result.navigation?.outcome == .failed)
    }
    #expect(!page.commands.contains { if case .find = $0 { true } else { false } })
    let waited = try await controller.waitForLoad(
      PageWait(.load, [.element(.attached, selector: "a")]), deadline: soon)
    #expect(waited.navigation?.outcome == .failed)
  }

  @Test func waitingWithoutAnEventLooksAtTheDocumentThatIsThere() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    _ = try await controller.load(.url(url), deadline: soon)
    page.script = [.started(url: url), .failed(LoadError(.cannotConnect, "refused"), url: url)]
    _ = try await controller.load(.url(url), deadline: soon)
    page.elements = { _, _ in .yes }
    let result = try await controller.waitForLoad(
      PageWait(.none, [.element(.attached, selector: "a")]), deadline: soon)
    #expect(result.navigation?.outcome == .failed)
    #expect(page.commands.last == .find(.attached, "a"))
  }

  @Test func conditionsOutliveTheDocument() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let load = Task {
      try await controller.load(.url(url), wait: PageWait(.load, [.function("return ok")]), deadline: soon)
    }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    page.evaluation = .success(.json("true"))
    page.tell(EnginePageEvent.simpleLoad("http://site.test/b"))
    let result = try await passing(bench) { try await load.value }
    #expect(result.navigation?.url == url)
    #expect(result.isLoaded)
  }

  @Test func theDeadlineTellsWhatDidNotComeTrue() async throws {
    let bench = TestBench()
    let (controller, _) = try await loaded(bench)
    let wanted: [PageCondition] = [
      .element(.attached, selector: "a"), .element(.visible, selector: "a"), .networkIdle(seconds: 100),
      .delay(seconds: 100),
    ]
    for condition in wanted {
      let error = await #expect(throws: ServiceError.self) {
        try await passing(bench) {
          try await controller.load(
            .url(url), wait: PageWait(.load, [condition]), deadline: Deadline(seconds: 1))
        }
      }
      #expect(error?.code == .timeout)
      #expect(error?.details["condition"] == .string(condition.name))
      guard case .object(let navigation)? = error?.details["navigation"] else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(navigation["outcome"] == "finished")
    }
    let event = await #expect(throws: ServiceError.self) {
      try await passing(bench) {
        try await controller.waitForLoad(
          after: NavigationID(number: 4), deadline: Deadline(seconds: 1))
      }
    }
    #expect(event?.details == ["navigation": .null, "condition": "event"])
  }

  @Test func theEndOfTheProcessEndsTheWait() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let load = Task {
      try await controller.load(
        .url(url), wait: PageWait(.load, [.element(.attached, selector: "a")]), deadline: soon)
    }
    await page.gets { if case .find = $0 { true } else { false } }
    page.tell(.processTerminated(.crashed))
    let error = await #expect(throws: ServiceError.self) { try await load.value }
    #expect(error?.code == .webContentProcessTerminated)
    #expect(error?.details["reason"] == "crashed")
  }

  @Test func disposalEndsTheWaitAsDisposed() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let load = Task {
      try await controller.load(.url(url), wait: PageWait(.load, [.delay(seconds: 100)]), deadline: soon)
    }
    await page.gets { if case .load = $0 { true } else { false } }
    while controller.state.isLoading { await Task.yield() }
    try bench.controllers.dispose(controller.id)
    let result = try await load.value
    #expect(result.accepted && !result.isLoaded)
    #expect(result.navigation?.outcome == .disposed)
  }

  @Test func aCallerThatLeavesLooksNoMore() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let load = Task {
      try await controller.load(
        .url(url), wait: PageWait(.load, [.element(.attached, selector: "a")]), deadline: soon)
    }
    await page.gets { if case .find = $0 { true } else { false } }
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    let looks = page.commands.count
    bench.clock.advance(by: .seconds(10))
    for _ in 0..<100 { await Task.yield() }
    #expect(page.commands.count == looks)
  }

  @Test func theTimerOfADelayEndsWithItsCaller() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let timers = controller.context.timers
    let before = timers.pending
    let load = Task {
      try await controller.load(.url(url), wait: PageWait(.load, [.delay(seconds: 100)]), deadline: soon)
    }
    await page.gets { if case .load = $0 { true } else { false } }
    // The delay's, the deadline's, and the one that ends the time of redirects.
    while controller.state.isLoading || timers.pending < before + 3 { await Task.yield() }
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    #expect(timers.pending == before + 1)
  }
}
