import Foundation
import Testing
import WebViewCore
import WebViewTesting

/// Loads, waits and history through the use case, with an engine that tells what the test says.
@PageActor
@Suite struct LoadingTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)

  private func isLoad(_ command: FakePage.Command) -> Bool { if case .load = command { true } else { false } }

  @Test func aLoadAnswersWhenItFinishedAndTellsItsEventsInOrder() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    let result = try await controller.load(.url(url), deadline: soon)
    #expect(result.accepted)
    #expect(result.isLoaded)
    #expect(result.navigation?.response?.status == 200)
    #expect(bench.toldTypes == [.loadStart, .commit, .domContentLoaded, .loadFinish])
    #expect(Set(bench.told.map(\.navigationID)) == [result.navigation?.id])
    #expect(bench.told.last?.state?.url == url)
    #expect(bench.told.map { $0.state?.isLoading } == [true, true, nil, false])
  }

  @Test func aFailedLoadIsAResultNotAnError() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = [.started(url: url), .failed(LoadError(.cannotConnect, "refused"), url: url)]
    let result = try await controller.load(.url(url), deadline: soon)
    #expect(result.accepted)
    #expect(!result.isLoaded)
    #expect(result.navigation?.outcome == .failed)
    #expect(bench.toldTypes == [.loadStart, .loadError])
    #expect(bench.told.last?.error?.code == .cannotConnect)
  }

  @Test func aLoadThatDoesNotWaitAnswersBeforeItsEvents() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    var toldBefore: Int?
    let result = try await controller.load(.url(url), wait: .none, deadline: soon) { navigation in
      #expect(navigation.outcome == nil)
      toldBefore = bench.told.count
    }
    #expect(toldBefore == 0)
    #expect(result.navigation?.outcome == nil)
    #expect(try await controller.waitForLoad(deadline: soon).isLoaded)
  }

  @Test func whatHappenedIsToldBeforeTheLoadAnswers() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url).dropLast() + [.stateChanged, .finished(url: url)]
    _ = try await controller.load(.url(url), deadline: soon)
    let count = bench.told.count
    page.title = "later"
    page.tell(.stateChanged)
    page.evaluation = .success(.undefined)
    _ = try await controller.evaluate(JavaScriptCall(.expression("1")), deadline: soon)
    #expect(bench.told.count == count + 1)
    #expect(bench.told.last?.type == .stateChange)
    #expect(bench.told.last?.state?.title == "later")
  }

  @Test func aNewerLoadReplacesTheOlderAndItsWaiters() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let first = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    let waiting = Task { try await controller.waitForLoad(deadline: soon) }
    await Task.yield()
    page.script = EnginePageEvent.simpleLoad(url)
    #expect(try await controller.load(.url(url), deadline: soon).isLoaded)
    #expect(try await first.value.navigation?.outcome == .replaced)
    _ = try await waiting.value
  }

  @Test func stopEndsTheLoadAsNotLoaded() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    page.tell(.started(url: url))
    try controller.stopLoading()
    #expect(try await load.value.navigation?.outcome == .stopped)
    #expect(page.commands.last == .stop)
    #expect(bench.toldTypes == [.loadStart, .loadError])
  }

  @Test func stopOfAnotherNavigationChangesNothing() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    let first = try await controller.load(.url(url), deadline: soon)
    page.script = nil
    let second = try await controller.load(.url(url), wait: .none, deadline: soon)
    try controller.stopLoading(first.navigation?.id)
    #expect(controller.state.isLoading)
    try controller.stopLoading(second.navigation?.id)
    #expect(!controller.state.isLoading)
    #expect(throws: ServiceError.self) { try controller.stopLoading(NavigationID(number: 99)) }
  }

  @Test func aDeadlineEndsTheWaitingNotTheLoad() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let load = Task { try await controller.load(.url(url), deadline: Deadline(seconds: 5)) }
    await page.gets { if case .load = $0 { true } else { false } }
    page.tell(.started(url: url))
    bench.clock.advance(by: .seconds(6))
    let error = await #expect(throws: ServiceError.self) { try await load.value }
    #expect(error?.code == .timeout)
    #expect(error?.details["navigation"] != .null)
    #expect(controller.state.isLoading)
    page.tell(.committed(url: url), .finished(url: url))
    #expect(try await controller.waitForLoad(deadline: soon).isLoaded)
  }

  @Test func aCallerThatLeavesEndsItsWaitAlone() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    #expect(controller.state.isLoading)
  }

  @Test func waitBeforeTheFirstLoadWaitsForIt() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let waiting = Task { try await controller.waitForLoad(deadline: soon) }
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.url(url), deadline: soon)
    #expect(try await waiting.value.isLoaded)
  }

  @Test func waitAfterTakesTheNavigationThatStartedNext() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    let first = try await controller.load(.url(url), deadline: soon)
    let waiting = Task { try await controller.waitForLoad(after: first.navigation?.id, deadline: soon) }
    await Task.yield()
    page.tell(EnginePageEvent.simpleLoad("http://site.test/next"))
    #expect(try await waiting.value.navigation?.url == "http://site.test/next")
    await #expect(throws: ServiceError.self) {
      try await controller.waitForLoad(navigation: NavigationID(number: 77), deadline: soon)
    }
  }

  @Test func beforeTheFirstLoadThereIsNothingToReloadOrGoBackTo() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.tell(EnginePageEvent.simpleLoad("about:blank") + [.stateChanged])
    for step in [WebViewController.HistoryStep.reload(fromOrigin: false), .back, .forward] {
      #expect(
        try await controller.navigate(step, deadline: soon) == LoadResult(accepted: false, navigation: nil))
    }
    #expect(controller.state == WebViewState())
    #expect(try await controller.html(deadline: soon) == nil)
    #expect(bench.told.isEmpty)
  }

  @Test func reloadShowsGivenContentAgain() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("about:blank")
    let content = LoadContent.html("<p>here</p>", baseURL: nil)
    _ = try await controller.load(content, deadline: soon)
    page.forgetCommands()
    _ = try await controller.navigate(.reload(fromOrigin: false), deadline: soon)
    #expect(page.commands == [.load(content)])
    page.tell(EnginePageEvent.simpleLoad(url))
    page.forgetCommands()
    _ = try await controller.navigate(.reload(fromOrigin: false), wait: .none, deadline: soon)
    #expect(page.commands == [.reload(fromOrigin: false)], "the page went elsewhere")
  }

  @Test func reloadFromTheOriginGoesPastGivenContent() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.html("<p>here</p>", baseURL: url), deadline: soon)
    page.forgetCommands()
    _ = try await controller.navigate(.reload(fromOrigin: true), deadline: soon)
    #expect(page.commands == [.load(.url(url))])
    page.forgetCommands()
    page.script = nil
    _ = try await controller.navigate(.reload(fromOrigin: true), wait: .none, deadline: soon)
    #expect(page.commands == [.reload(fromOrigin: true)], "the site's own document is there now")
  }

  @Test(arguments: ["utf-8", "Shift_JIS", "iso-8859-1", "x-user-defined", "UTF-16LE"])
  func contentIsDecodedByAnyKnownEncoding(name: String) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let content = LoadContent.data([0x41], mimeType: "text/html", encoding: name, baseURL: "about:blank")
    _ = try await controller.load(content, wait: .none, deadline: soon)
    #expect(page.commands == [.load(content)])
  }

  @Test(arguments: ["", "klingon", "utf 8", "utf-8\n", "hz-gb-2312", "iso-2022-kr"])
  func anEncodingThatNobodyKnowsIsRefused(name: String) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let error = await #expect(throws: ServiceError.self) {
      try await controller.load(
        .data([0x41], mimeType: "text/html", encoding: name, baseURL: "about:blank"), deadline: soon)
    }
    #expect(error?.details["pointer"] == "/encoding")
    #expect(page.commands.isEmpty)
  }

  @Test func backIsAcceptedWhereThereIsAnEntry() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.url(url), deadline: soon)
    #expect(try await controller.navigate(.back, deadline: soon).accepted == false)
    page.canGoBack = true
    let result = try await controller.navigate(.back, wait: .none, deadline: soon)
    #expect(result.accepted)
    page.tell(.sameDocumentNavigation(url: url + "#before"))
    #expect(try await controller.waitForLoad(deadline: soon).navigation?.outcome == .sameDocument)
  }

  @Test(arguments: [
    "", "a/b", "site.test", "javascript:alert(1)", "ftp://site.test/", "http:/x", "http://a\0b/",
  ])
  func whatIsNoLoadableURLIsRefusedBeforeAnythingHappens(text: String) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let error = await #expect(throws: ServiceError.self) {
      try await controller.load(.url(text), deadline: soon)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["pointer"] == "/url")
    #expect(page.commands.isEmpty)
    #expect(bench.told.isEmpty)
  }

  @Test func aFileURLNeedsAFilesDirectory() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    let error = await #expect(throws: ServiceError.self) {
      try await controller.load(.url("file:///etc/passwd"), deadline: soon)
    }
    #expect(error?.code == .forbidden)
  }
}
