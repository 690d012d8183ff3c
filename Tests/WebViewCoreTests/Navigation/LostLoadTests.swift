import Testing
import WebViewCore
import WebViewTesting

/// What an engine does not do with a load that it was given, and what it does without telling of a navigation.
@PageActor
@Suite struct LostLoadTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)

  private func loaded(_ bench: TestBench) async throws -> (controller: WebViewController, page: FakePage) {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("http://site.test/first")
    _ = try await controller.load(.url("http://site.test/first"), deadline: soon)
    page.script = nil
    page.forgetCommands()
    return (controller, page)
  }

  @Test func aLoadThatDoesNotStartThoughTheProcessAnswersEnds() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { $0 == .load(.url(url)) }
    for process in 1...2 {
      for number in 1...6 {
        page.forgetCommands()
        bench.clock.advance(by: .seconds(1))
        await page.gets { $0 == .probe }
        #expect(page.commands.contains(.again) == (number == 3))
      }
      guard process == 1 else { break }
      #expect(page.commands.contains(.terminate))
      await page.gets { $0 == .load(.url(url)) }
    }
    let navigation = try #require(try await load.value.navigation)
    #expect(navigation.outcome == .failed && navigation.error?.code == .other)
    #expect(page.commands.last == .stop)
    #expect(bench.toldTypes.suffix(2) == [.loadStart, .loadError])
    page.script = EnginePageEvent.simpleLoad(url)
    #expect(try await controller.load(.url(url), deadline: soon).isLoaded)
  }

  @Test func aLoadThatStartsWhenItIsGivenOnceMoreIsFine() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let load = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { $0 == .load(.url(url)) }
    for _ in 0..<3 {
      page.forgetCommands()
      bench.clock.advance(by: .seconds(1))
      await page.gets { $0 == .probe }
    }
    #expect(page.commands.contains(.again))
    page.tell(EnginePageEvent.simpleLoad(url))
    #expect(try await load.value.isLoaded)
  }

  @Test func aDocumentThatNobodyNavigatedToEndsTheCallsOfTheOneBefore() async throws {
    let bench = TestBench()
    let (controller, page) = try await loaded(bench)
    let call = Task {
      try await controller.evaluate(JavaScriptCall(.functionBody("return 1")), deadline: soon)
    }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    page.tell(.documentReplaced)
    let error = await #expect(throws: ServiceError.self) { try await call.value }
    #expect(error?.code == .cancelled)
    #expect(controller.state.isLoading == false)
  }

  @Test func aReloadBeforeTheFirstDocumentLoadsWhatWasAskedFor() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    _ = try await controller.load(.url(url), wait: .none, deadline: soon)
    page.url = url
    page.forgetCommands()
    _ = try await controller.navigate(.reload(fromOrigin: false), wait: .none, deadline: soon)
    #expect(page.commands == [.load(.url(url))])
  }
}
