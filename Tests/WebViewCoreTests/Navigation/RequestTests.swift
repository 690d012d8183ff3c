import Foundation
import Testing
import WebViewTesting

@testable import WebViewCore

/// Requests through the use case: their time, and what a reload of a fetched document shows.
@PageActor
@Suite struct RequestTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 600)
  private let bench = TestBench()

  private nonisolated static func isLoad(_ command: FakePage.Command) -> Bool {
    if case .load = command { true } else { false }
  }

  private func kept(_ text: String) -> LoadContent {
    .simulated(
      LoadRequest(url: url),
      SimulatedResponse(headers: [.init(name: "Content-Type", value: "text/html")], data: Array(text.utf8)))
  }

  @Test func aCheckedRequestReachesTheEngine() async throws {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    let request = LoadRequest(url: "HTTP" + url.dropFirst(4), method: "post", body: [1])
    #expect(try await controller.load(.request(request), deadline: soon).isLoaded)
    guard case .load(.request(let given))? = page.commands.first(where: Self.isLoad) else {
      Issue.record("\(page.commands)")
      return
    }
    #expect(given.url == url && given.method == "POST" && given.body == [1])
  }

  @Test(arguments: [
    LoadRequest(url: "data:text/html,x", method: "POST"),
    LoadRequest(url: "about:blank", headers: [.init(name: "A", value: "b")]),
    LoadRequest(url: "data:text/html,x", body: [1]), LoadRequest(url: "ftp://site.test/"),
    LoadRequest(url: "x"),
  ])
  func whatIsNoRequestOfTheWebIsRefused(request: LoadRequest) async throws {
    let (controller, page) = try await bench.makeController()
    await #expect(throws: ServiceError.self) { try await controller.load(.request(request), deadline: soon) }
    #expect(!page.commands.contains(where: Self.isLoad))
  }

  @Test func aLoadThatTakesTooLongFailsAndTheNextOneWorks() async throws {
    let (controller, page) = try await bench.makeController()
    let request = LoadContent.request(LoadRequest(url: url, timeoutInterval: 2))
    let load = Task { try await controller.load(request, deadline: soon) }
    await page.gets(Self.isLoad)
    page.tell(Array(EnginePageEvent.simpleLoad(url).prefix(4)))
    #expect(controller.state.isLoading)
    bench.clock.advance(by: .seconds(2))
    let navigation = try await load.value.navigation
    #expect(navigation?.outcome == .failed && navigation?.error?.code == .timedOut)
    #expect(page.commands.last == .stop)
    #expect(bench.toldTypes == [.loadStart, .commit, .loadError])
    page.tell(.failed(LoadError(.cancelled, "stopped"), url: url))
    page.script = EnginePageEvent.simpleLoad(url)
    #expect(try await controller.load(.url(url), deadline: soon).isLoaded)
  }

  @Test func theTimeOfALoadEndsWithIt() async throws {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    let request = LoadContent.request(LoadRequest(url: url, timeoutInterval: 2))
    #expect(try await controller.load(request, deadline: soon).isLoaded)
    page.script = nil
    let next = Task { try await controller.load(.url(url), deadline: soon) }
    await page.gets { $0 == .load(.url("http://site.test/a")) }
    bench.clock.advance(by: .seconds(60))
    page.tell(EnginePageEvent.simpleLoad(url))
    #expect(try await next.value.isLoaded)
    #expect(!page.commands.contains(.stop))
  }

  @Test func aReloadShowsWhatWasFetchedAndFromOriginGetsIt() async throws {
    let (controller, page) = try await bench.makeController()
    var events = EnginePageEvent.simpleLoad(url)
    events.insert(.handedOver(kept("one")), at: 3)
    page.script = events
    let timers = controller.context.timers.pending
    let put = LoadContent.request(LoadRequest(url: url, method: "PUT"))
    #expect(try await controller.load(put, deadline: soon).isLoaded)
    // But for the one that ends the time of redirects.
    #expect(controller.context.timers.pending == timers + 1)
    page.script = EnginePageEvent.simpleLoad(url)
    for _ in 0..<2 {
      _ = try await controller.navigate(.reload(fromOrigin: false), deadline: soon)
      #expect(page.commands.last == .load(kept("one")))
    }
    _ = try await controller.navigate(.reload(fromOrigin: true), deadline: soon)
    #expect(page.commands.last == .load(.url(url)))
    _ = try await controller.navigate(.reload(fromOrigin: false), wait: .none, deadline: soon)
    #expect(page.commands.last == .reload(fromOrigin: false))
  }

  @Test func aPageThatDoesNotTakeWhatWasFetchedIsEndedAndTheNextOneTakesIt() async throws {
    let (controller, page) = try await bench.makeController()
    page.processIdentifier = 1
    page.answersProbes = false
    let load = Task {
      try await controller.load(.request(LoadRequest(url: url, method: "PUT")), deadline: soon)
    }
    await page.gets(Self.isLoad)
    page.tell(Array(EnginePageEvent.simpleLoad(url).prefix(3)) + [.handedOver(kept("one"))])
    bench.clock.advance(by: .seconds(1))
    await page.gets { $0 == .probe }
    page.script = EnginePageEvent.simpleLoad(url)
    bench.clock.advance(by: .seconds(2))
    let result = try await load.value
    #expect(result.isLoaded && result.navigation?.response?.status == 200)
    #expect(page.commands.filter(Self.isLoad).dropFirst() == [.load(kept("one"))])
    #expect(
      bench.toldTypes == [.loadStart, .webContentProcessTerminated, .commit, .domContentLoaded, .loadFinish])
    _ = try await controller.navigate(.reload(fromOrigin: false), deadline: soon)
    #expect(page.commands.last == .load(kept("one")))
  }

  @Test func aPageThatTakesWhatWasFetchedWhileItIsDoubtedIsNotGivenItAgain() async throws {
    let (controller, page) = try await bench.makeController()
    page.answersProbes = false
    let load = Task {
      try await controller.load(.request(LoadRequest(url: url, method: "PUT")), deadline: soon)
    }
    await page.gets(Self.isLoad)
    let events = EnginePageEvent.simpleLoad(url)
    page.tell(Array(events.prefix(3)) + [.handedOver(kept("one"))])
    bench.clock.advance(by: .seconds(1))
    await page.gets { $0 == .probe }
    page.tell(Array(events.dropFirst(3)))
    page.answerProbes()
    #expect(try await load.value.isLoaded)
    #expect(page.commands.filter(Self.isLoad).count == 1 && !page.commands.contains(.terminate))
  }
}
