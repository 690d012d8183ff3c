import Testing
import WebViewCore
import WebViewTesting

/// Loads that the page's own navigations keep from happening.
@PageActor
@Suite(.timeLimit(.minutes(1))) struct StubbornPageTests {
  private let first = "http://site.test/first"
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)

  /// A page that is there, and a load of another one that it takes the place of.
  private func overtaken(
    _ bench: TestBench, _ content: LoadContent
  ) async throws -> (controller: WebViewController, page: FakePage, load: Task<LoadResult, any Error>) {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first)
    _ = try await controller.load(.url(first), deadline: soon)
    page.script = nil
    page.forgetCommands()
    let load = Task { try await controller.load(content, deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    page.tell(
      .willNavigate(url: url, isRedirect: false), .started(url: url),
      .redirected(url: url + "/", status: 301, from: url))
    page.forgetCommands()
    page.tell(.overtaken(url: url + "/", isStubborn: true))
    return (controller, page, load)
  }

  @Test func itsProcessEndsAndTheNextOneHasTheLoad() async throws {
    let bench = TestBench()
    let (controller, page, load) = try await overtaken(bench, .url(url))
    #expect(page.commands == [.terminate])
    // Not the load's: the page's last ones.
    page.tell(.started(url: first + "#1"), .committed(url: first + "#1"))
    #expect(controller.state.isLoading)
    await page.gets { $0 == .load(.url(url)) }
    page.tell(EnginePageEvent.simpleLoad(url))
    let navigation = try #require(try await load.value.navigation)
    #expect(navigation.outcome == .finished && navigation.redirects == [] && navigation.url == url)
    #expect(
      bench.toldTypes.filter { $0 != .stateChange && $0 != .backForwardListChanged }.dropFirst(4) == [
        .loadStart, .redirect, .webContentProcessTerminated, .commit, .domContentLoaded, .loadFinish,
      ])
    #expect(bench.told.first { $0.type == .webContentProcessTerminated }?.details["reason"] == "requested")
  }

  @Test func aLoadThatComesMeanwhileIsTheNextProcesss() async throws {
    let bench = TestBench()
    let (controller, page, load) = try await overtaken(bench, .url(url))
    let newer = Task { try await controller.load(.url(first), deadline: soon) }
    await page.gets { $0 == .load(.url(first)) }
    page.tell(EnginePageEvent.simpleLoad(first))
    #expect(try await newer.value.isLoaded)
    #expect(try await load.value.navigation?.outcome == .replaced)
    #expect(!page.commands.contains(.load(.url(url))))
  }

  @Test func aStopMeanwhileEndsIt() async throws {
    let bench = TestBench()
    let (controller, page, load) = try await overtaken(bench, .url(url))
    try controller.stopLoading()
    #expect(try await load.value.navigation?.outcome == .stopped)
    while bench.toldTypes.last != .webContentProcessTerminated { await Task.yield() }
    #expect(!page.commands.contains(.load(.url(url))))
  }

  @Test func whatWouldBeSentTwiceIsReplaced() async throws {
    let bench = TestBench()
    let request = LoadRequest(url: url, method: "PUT")
    let (_, page, load) = try await overtaken(bench, .request(request))
    #expect(page.commands == [])
    #expect(try await load.value.navigation?.outcome == .replaced)
  }

  /// What came of a request that is sent once: bytes, or where they lie.
  @Test(arguments: [true, false]) func whatWasFetchedIsGivenToTheNextProcess(isContent: Bool) async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first)
    _ = try await controller.load(.url(first), deadline: soon)
    page.script = nil
    let put = LoadContent.request(LoadRequest(url: url, method: "PUT"))
    let load = Task { try await controller.load(put, deadline: soon) }
    await page.gets { $0 == .load(put) }
    let end = url + "/end"
    let found = LoadRequest(url: end)
    let content =
      isContent ? LoadContent.simulated(found, SimulatedResponse(headers: [], data: [1])) : .request(found)
    page.tell(
      .willNavigate(url: url, isRedirect: false), .started(url: url),
      .redirected(url: end, status: 303, from: url), .handedOver(content))
    for _ in 1...6 {
      page.forgetCommands()
      bench.clock.advance(by: .seconds(1))
      await page.gets { $0 == .probe }
    }
    #expect(page.commands.contains(.terminate))
    await page.gets { $0 == .load(content) }
    page.tell(EnginePageEvent.simpleLoad(end))
    let navigation = try #require(try await load.value.navigation)
    #expect(navigation.outcome == .finished && navigation.url == end)
    #expect(navigation.redirects == [Navigation.Redirect(url: url, status: 303, kind: .http)])
    #expect(bench.told.count { $0.type == .loadStart && $0.navigationID == navigation.id } == 1)
    _ = try await controller.navigate(.reload(fromOrigin: false), wait: .none, deadline: soon)
    #expect(page.commands.last == (isContent ? .load(content) : .reload(fromOrigin: false)))
  }

  @Test func aLoadThatBeginsOnceMoreAndIsLostIsFoundOut() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first)
    _ = try await controller.load(.url(first), deadline: soon)
    page.script = nil
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { $0 == .load(.url(url)) }
    page.tell(.started(url: url), .restarted(redirects: 0))
    page.forgetCommands()
    bench.clock.advance(by: .seconds(1))
    await page.gets { $0 == .probe }
    page.tell(EnginePageEvent.simpleLoad(url))
    #expect(try await load.value.isLoaded)
  }
}
