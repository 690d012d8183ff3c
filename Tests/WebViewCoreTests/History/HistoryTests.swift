import Testing
import WebViewCore
import WebViewTesting

@PageActor
@Suite struct HistoryTests {
  private let soon = Deadline(seconds: 60)

  private func item(_ id: String) -> HistoryItem {
    HistoryItem(
      id: HistoryItemID(text: id), url: "http://site.test/\(id)", initialURL: "http://site.test/\(id)",
      title: id)
  }

  @Test func theListIsTheEnginesAndADisposedControllerHasNone() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    #expect(try controller.backForwardList() == BackForwardList())
    page.backForwardList = BackForwardList(backList: [item("a")], currentItem: item("b"))
    #expect(try controller.backForwardList().backList.map(\.id.text) == ["a"])
    try bench.controllers.dispose(controller.id)
    #expect(throws: ServiceError.self) { try controller.backForwardList() }
  }

  @Test func goingToAnEntryIsANavigation() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.backForwardList = BackForwardList(backList: [item("a")], currentItem: item("b"))
    let going = Task { try await controller.goToHistoryItem(HistoryItemID(text: "a"), deadline: soon) }
    await page.gets { $0 == .goTo(HistoryItemID(text: "a")) }
    page.tell(EnginePageEvent.simpleLoad("http://site.test/a"))
    let result = try await going.value
    #expect(result.isLoaded && result.navigation?.url == "http://site.test/a")
    let within = Task { try await controller.goToHistoryItem(HistoryItemID(text: "b"), deadline: soon) }
    await page.gets { $0 == .goTo(HistoryItemID(text: "b")) }
    page.tell(.sameDocumentNavigation(url: "http://site.test/a#b"))
    #expect(try await within.value.navigation?.outcome == .sameDocument)
  }

  @Test(arguments: ["c", "", "h1-other"])
  func anEntryThatIsNotThereIsRefused(id: String) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.backForwardList = BackForwardList(currentItem: item("a"))
    let error = await #expect(throws: ServiceError.self) {
      try await controller.goToHistoryItem(HistoryItemID(text: id), deadline: soon)
    }
    #expect(error?.code == .invalidArgument && error?.details == ["parameter": "itemId"])
    #expect(page.commands.allSatisfy { if case .goTo = $0 { false } else { true } })
  }

  @Test func stepsThatAreNoLongerPossibleWhenTheirTurnComesAreNotAccepted() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("http://site.test/b")
    _ = try await controller.load(.url("http://site.test/b"), deadline: soon)
    page.script = nil
    page.canGoBack = true
    let going = (0..<5).map { _ in Task { try await controller.navigate(.back, deadline: soon) } }
    await page.gets { $0 == .back }
    page.canGoBack = false
    for _ in 0..<50 { await Task.yield() }
    page.tell(.sameDocumentNavigation(url: "http://site.test/a"))
    for step in going {
      let result = try await step.value
      #expect(!result.accepted || result.navigation?.outcome != .failed)
    }
  }

  @Test func aReloadOfADocumentThatWentWithItsProcessGoesToItsEntry() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("http://site.test/b")
    _ = try await controller.load(.url("http://site.test/b"), deadline: soon)
    page.backForwardList = BackForwardList(
      backList: [item("a")], currentItem: item("b"), forwardList: [item("c")])
    page.script = nil
    page.forgetCommands()
    page.tell(.processTerminated(.crashed))
    for fromOrigin in [false, true] {
      _ = try await controller.navigate(.reload(fromOrigin: fromOrigin), wait: .none, deadline: soon)
    }
    let origin = LoadRequest(
      url: "http://site.test/b", cachePolicy: .reloadIgnoringLocalAndRemoteCacheData)
    #expect(page.commands == [.goTo(HistoryItemID(text: "b")), .load(.request(origin))])
  }

  @Test func aReloadOfWhatNeverBecameAnEntryLoadsIt() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("http://site.test/b")
    _ = try await controller.load(.url("http://site.test/b"), deadline: soon)
    page.script = nil
    page.backForwardList = BackForwardList(currentItem: item("a"))
    page.forgetCommands()
    page.tell(.processTerminated(.crashed))
    _ = try await controller.navigate(.reload(fromOrigin: false), wait: .none, deadline: soon)
    #expect(page.commands == [.load(.url("http://site.test/b"))])
  }

  @Test func aChangeIsToldOnceATurnAndOnlyIfThereIsOne() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    func told() throws -> Int {
      // Reading tells first what happened before.
      _ = try controller.backForwardList()
      return bench.toldTypes.count { $0 == .backForwardListChanged }
    }
    page.tell(.historyChanged)
    #expect(try told() == 0)
    page.backForwardList = BackForwardList(currentItem: item("a"))
    page.tell(.historyChanged, .stateChanged, .historyChanged)
    #expect(try told() == 1)
    page.backForwardList.currentItem?.title = "another title"
    page.tell(.historyChanged)
    #expect(try told() == 1)
    page.backForwardList = BackForwardList(backList: [item("a")], currentItem: item("b"))
    page.tell(.historyChanged)
    #expect(try told() == 2)
    page.backForwardList = BackForwardList(currentItem: item("a"), forwardList: [item("b")])
    page.tell(.historyChanged)
    #expect(try told() == 3)
    #expect(!EventType.standard.contains(.backForwardListChanged))
  }

  @Test func aStepThatLedNowhereIsToldToo() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("http://site.test/b")
    page.backForwardList = BackForwardList(backList: [item("a")], currentItem: item("b"))
    _ = try await controller.load(.url("http://site.test/b"), deadline: soon)
    page.backForwardList = BackForwardList(currentItem: item("a"), forwardList: [item("b")])
    let going = Task { try await controller.goToHistoryItem(HistoryItemID(text: "a"), deadline: soon) }
    await page.gets { $0 == .goTo(HistoryItemID(text: "a")) }
    page.tell(.historyChanged)
    _ = try controller.backForwardList()
    let count = bench.toldTypes.count { $0 == .backForwardListChanged }
    page.backForwardList = BackForwardList(backList: [item("a")], currentItem: item("b"))
    try controller.stopLoading()
    _ = try await going.value
    #expect(bench.toldTypes.count { $0 == .backForwardListChanged } == count + 1)
  }
}
