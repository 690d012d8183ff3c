import Foundation
import Testing
import WebViewTesting

@testable import WebViewCore

/// Creation, the end of the page's process, processes that hang, disposal.
@PageActor
@Suite struct LifecycleTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)
  private let script = JavaScriptCall(.functionBody("return 1"))

  private func loaded(_ bench: TestBench) async throws -> (controller: WebViewController, page: FakePage) {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.url(url), deadline: soon)
    page.script = nil
    return (controller, page)
  }
  private func isEvaluation(_ command: FakePage.Command) -> Bool {
    if case .evaluate = command { true } else { false }
  }

  @Test func persistentControllersShareOneStoreAndEphemeralOnesHaveTheirOwn() async throws {
    let bench = TestBench()
    var ephemeral = ControllerOptions()
    ephemeral.ephemeral = true
    async let first = bench.makeController()
    async let second = bench.makeController()
    let (controller, _) = try await first
    _ = try await second
    _ = try await bench.makeController(ephemeral)
    _ = try await bench.makeController(ephemeral)
    #expect(controller.options.ephemeral == false)
    #expect(bench.stores.asked == ["default"])
    #expect(bench.engine.stores.map(\.isEphemeral) == [false, true, true])
    #expect(bench.engine.stores.first?.directory == "/profiles/default")
  }

  @Test func settingsGivenAtCreationAreInForceAndBadOnesMakeNothing() async throws {
    let bench = TestBench()
    var options = ControllerOptions()
    options.settings = SettingsPatch()
    options.settings?.pageZoom = 2
    let (controller, _) = try await bench.makeController(options)
    #expect(try controller.settings().pageZoom == 2)
    options.settings?.pageZoom = 99
    let error = await #expect(throws: ServiceError.self) { try await bench.makeController(options) }
    #expect(error?.details["pointer"] == "/settings/pageZoom")
    #expect(bench.engine.pages.count == 1)
  }

  @PageActor
  private final class Creation {
    var task: Task<WebViewController, any Error>?
  }

  @Test func whoLeavesWhileAControllerIsMadeLeavesNone() async throws {
    let bench = TestBench()
    var options = ControllerOptions()
    options.settings = SettingsPatch()
    options.settings?.pageZoom = 2
    let (creation, asked) = (Creation(), options)
    bench.engine.prepare = { page in page.whileApplying = { creation.task?.cancel() } }
    let task = Task { try await bench.controllers.create(asked, deadline: soon) }
    creation.task = task
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bench.controllers.list(label: nil).isEmpty)
    #expect(bench.engine.pages.map(\.commands) == [[.close]])
  }

  @Test func aPatchWithOneBadValueChangesNothing() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    var patch = SettingsPatch()
    patch.pageZoom = 2
    patch.viewport = Viewport(width: 0, height: 10)
    let error = await #expect(throws: ServiceError.self) {
      try await controller.setSettings(patch, deadline: soon)
    }
    #expect(error?.details["pointer"] == "/viewport/width")
    #expect(try controller.settings() == WebViewSettings())
    patch.viewport = Viewport(width: 300, height: 200)
    #expect(try await controller.setSettings(patch, deadline: soon).viewport.width == 300)
  }

  @Test func listsOldestFirstByLabel() async throws {
    let bench = TestBench()
    var labelled = ControllerOptions()
    labelled.label = "x"
    let first = try await bench.makeController(labelled).controller
    let second = try await bench.makeController().controller
    let third = try await bench.makeController(labelled).controller
    #expect(bench.controllers.list(label: nil).map(\.id) == [first.id, second.id, third.id])
    #expect(bench.controllers.list(label: "x").map(\.id) == [first.id, third.id])
  }

  // MARK: The process ends

  @Test func theEndOfTheProcessIsToldAndSettlesWhatWaits() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { $0 == .load(.url("http://site.test/a")) }
    while !controller.state.isLoading { await Task.yield() }
    page.tell(.started(url: url), .processTerminated(.crashed))
    #expect(try await load.value.navigation?.outcome == .processTerminated)
    let error = await #expect(throws: ServiceError.self) { try await evaluation.value }
    #expect(error?.code == .webContentProcessTerminated)
    #expect(error?.details["reason"] == "crashed")
    #expect(bench.toldTypes.suffix(3) == [.loadStart, .webContentProcessTerminated, .loadError])
    #expect(controller.state.url == url)
    #expect(!controller.state.isLoading)
  }

  @Test func afterTheProcessEndedOnlyALoadHelps() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.tell(.processTerminated(.crashed))
    let error = await #expect(throws: ServiceError.self) {
      try await controller.evaluate(script, deadline: soon)
    }
    #expect(error?.code == .webContentProcessTerminated)
    await #expect(throws: ServiceError.self) {
      try await controller.snapshot(SnapshotRequest(), deadline: soon)
    }
    #expect(try await controller.html(deadline: soon) == nil)
    #expect(try controller.settings() == WebViewSettings())
    #expect(try await controller.cookies(CookieFilter(), deadline: soon).isEmpty)
    page.forgetCommands()
    page.script = EnginePageEvent.simpleLoad(url)
    #expect(try await controller.navigate(.reload(fromOrigin: false), deadline: soon).isLoaded)
    #expect(page.commands == [.load(.url(url))])
    page.evaluation = .success(.json("1"))
    #expect(try await controller.evaluate(script, deadline: soon) == .json("1"))
  }

  // MARK: Pages that hang

  private func missADeadline(_ bench: TestBench, _ controller: WebViewController, _ page: FakePage) async {
    let evaluation = Task { try await controller.evaluate(script, deadline: Deadline(seconds: 1)) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    bench.clock.advance(by: .seconds(1))
    await #expect(throws: ServiceError.self) { try await evaluation.value }
  }

  @Test func aPageThatMissesADeadlineAndDoesNotAnswerAProbeIsEnded() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.answersProbes = false
    await missADeadline(bench, controller, page)
    await page.gets { $0 == .probe }
    bench.clock.advance(by: .seconds(2))
    await page.gets { $0 == .terminate }
    let page2 = try await bench.events.entries(
      .init(types: [.webContentProcessTerminated]), since: 0, run: nil, limit: 1, poll: 60)
    #expect(page2.entries.first?.event.details["reason"] == "deadline")
  }

  @Test func aPageThatAnswersTheProbeLives() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    await missADeadline(bench, controller, page)
    bench.clock.advance(by: .seconds(10))
    page.evaluation = .success(.undefined)
    #expect(try await controller.evaluate(script, deadline: soon) == .undefined)
    #expect(!page.commands.contains(.terminate))
  }

  @Test func aLoadOntoADoubtedPageWaitsForTheVerdict() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.answersProbes = false
    await missADeadline(bench, controller, page)
    page.forgetCommands()
    page.script = EnginePageEvent.simpleLoad(url)
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    while !controller.state.isLoading { await Task.yield() }
    #expect(page.commands.isEmpty)
    page.tell(EnginePageEvent.simpleLoad("http://site.test/older"))
    #expect(controller.state.isLoading, "what the engine tells of an older load is not this one's")
    bench.clock.advance(by: .seconds(2))
    #expect(try await load.value.isLoaded)
    #expect(page.commands == [.terminate, .load(.url(url))])
  }

  @Test func aLoadThatNothingStartsEndsTheProcessAndIsGivenAgain() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.answersProbes = false
    page.forgetCommands()
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    bench.clock.advance(by: .seconds(1))
    await page.gets { $0 == .probe }
    page.script = EnginePageEvent.simpleLoad(url)
    bench.clock.advance(by: .seconds(2))
    #expect(try await load.value.isLoaded)
    #expect(page.commands == [.load(.url(url)), .probe, .terminate, .load(.url(url))])
  }

  @Test func aSlowStartOfAPageThatAnswersIsLeftAlone() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.forgetCommands()
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    bench.clock.advance(by: .seconds(1))
    await page.gets { $0 == .probe }
    bench.clock.advance(by: .seconds(5))
    page.tell(EnginePageEvent.simpleLoad(url))
    #expect(try await load.value.isLoaded)
    #expect(page.commands.filter { $0 != .probe } == [.load(.url(url))])
  }

  @Test func anEngineThatDoesNotTellOfTheEndIsNotWaitedFor() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    page.answersProbes = false
    page.tellsTermination = false
    await missADeadline(bench, controller, page)
    bench.clock.advance(by: .seconds(2))
    await page.gets { $0 == .terminate }
    bench.clock.advance(by: .seconds(1))
    let told = try await bench.events.entries(
      .init(types: [.webContentProcessTerminated]), since: 0, run: nil, limit: 1, poll: 60)
    #expect(told.entries.count == 1)
    await #expect(throws: ServiceError.self) { try await controller.evaluate(script, deadline: soon) }
    page.script = [.processTerminated(.requested)] + EnginePageEvent.simpleLoad(url)
    #expect(try await controller.load(.url(url), deadline: soon).isLoaded, "told late, it ends nothing more")
  }

  // MARK: Disposal

  @Test func disposalSettlesEverythingAndIsTheLastThatIsTold() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    while !controller.state.isLoading { await Task.yield() }
    page.tell(.started(url: url))
    try bench.controllers.dispose(controller.id)
    #expect(try await load.value.navigation?.outcome == .disposed)
    let error = await #expect(throws: ServiceError.self) { try await evaluation.value }
    #expect(error?.code == .disposed)
    #expect(page.commands.last == .close)
    #expect(bench.toldTypes.suffix(3) == [.loadStart, .loadError, .disposed])
    page.tell(EnginePageEvent.simpleLoad(url))
    page.answerEvaluations(.success(.undefined))
    #expect(bench.toldTypes.last == .disposed)
    #expect(controller.isDisposed)
    #expect(controller.state.url == url)
  }

  @Test func aWaitForAFirstLoadEndsWithDisposal() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    let waiting = Task { try await controller.waitForLoad(deadline: soon) }
    while controller.idleTime > 0 { await Task.yield() }
    try bench.controllers.dispose(controller.id)
    #expect(try await waiting.value.isLoaded == false)
  }

  @Test func longPollsEndWithDisposal() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    let questions = Task { try await controller.callbacks(kinds: nil, since: nil, poll: 300) }
    let events = Task {
      try await controller.events(types: EventType.standard, since: nil, run: nil, limit: 10, poll: 300)
    }
    // Both have begun to wait once the actor has nothing else to do.
    for _ in 0..<100 { await Task.yield() }
    try bench.controllers.dispose(controller.id)
    for code in [
      await #expect(throws: ServiceError.self) { _ = try await questions.value }?.code,
      await #expect(throws: ServiceError.self) { _ = try await events.value }?.code,
    ] { #expect(code == .disposed) }
  }

  @Test func aPollThatAsksForTheEndIsToldOfIt() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    let events = Task {
      try await controller.events(types: [.disposed], since: nil, run: nil, limit: 10, poll: 300)
    }
    for _ in 0..<100 { await Task.yield() }
    try bench.controllers.dispose(controller.id)
    #expect(try await events.value.entries.map(\.event.type) == [.disposed])
  }

  @Test func aDisposedControllerIsGoneAndDisposalMayBeRepeated() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    try bench.controllers.dispose(controller.id)
    try bench.controllers.dispose(controller.id)
    #expect(bench.controllers.presence(of: controller.id) == .disposed)
    let error = #expect(throws: ServiceError.self) { try bench.controllers.controller(controller.id) }
    #expect(error?.code == .disposed)
    let unknown = #expect(throws: ServiceError.self) {
      try bench.controllers.dispose(ControllerID(text: "x"))
    }
    #expect(unknown?.code == .notFound)
    await #expect(throws: ServiceError.self) { try await controller.load(.url(url), deadline: soon) }
    #expect(throws: ServiceError.self) { try controller.settings() }
  }

  @Test func disposedIdsAreRememberedUpToALimit() async throws {
    var limits = Limits()
    limits.disposedIDs = 2
    let bench = TestBench(limits: limits)
    var ids: [ControllerID] = []
    for _ in 0..<3 {
      let id = try await bench.makeController().controller.id
      try bench.controllers.dispose(id)
      ids.append(id)
    }
    #expect(ids.map { bench.controllers.presence(of: $0) } == [.unknown, .disposed, .disposed])
  }

  @Test func aServerThatShutsDownMakesNoMore() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    await bench.controllers.shutDown()
    #expect(controller.isDisposed)
    let error = await #expect(throws: ServiceError.self) { try await bench.makeController() }
    #expect(error?.code == .unavailable)
  }

  @Test func aDisposedControllerIsFreedThoughTheEngineNeverAnswered() async throws {
    let bench = TestBench()
    weak var freed: WebViewController?
    do {
      let (controller, page) = try await loaded(bench)
      freed = controller
      let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
      await page.gets { if case .evaluate = $0 { true } else { false } }
      try bench.controllers.dispose(controller.id)
      await #expect(throws: ServiceError.self) { try await evaluation.value }
    }
    for _ in 0..<100 where freed != nil { await Task.yield() }
    #expect(freed == nil)
  }

  @Test func idleTimeCountsFromTheEndOfUse() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    controller.beginUse()
    #expect(controller.idleTime == 0)
    controller.endUse()
    #expect(controller.idleTime >= 0)
  }

  @Test func aCallThatBeginsAfterTheEndIsRefusedRatherThanForgotten() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    controller.dispose()
    let error = await #expect(throws: ServiceError.self) {
      let _: Int = try await controller.engineCall(.document, deadline: Deadline(seconds: 60)) { _, _ in }
    }
    #expect(error?.code == .disposed)
  }
}
