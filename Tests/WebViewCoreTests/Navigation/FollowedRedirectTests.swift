import Foundation
import Testing
import WebViewCore
import WebViewTesting

/// Redirects that a page makes by itself, with a page that makes them when the test says so.
@PageActor
@Suite(.timeLimit(.minutes(1))) struct FollowedRedirectTests {
  private let first = "http://site.test/1"
  private let second = "http://site.test/2"
  private let third = "http://site.test/3"
  private let soon = Deadline(seconds: 600)

  private func follow(_ count: Int, _ conditions: [PageCondition] = []) -> PageWait {
    PageWait(.load, conditions, followedRedirects: count)
  }

  @Test func theResultIsTheLastOnesWithAllHops() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script =
      EnginePageEvent.simpleLoad(first) + EnginePageEvent.simpleLoad(second)
      + [
        .willNavigate(url: third, isRedirect: false), .started(url: third),
        .redirected(url: third + "/", status: 301, from: third), .committed(url: third + "/"),
        .finished(url: third + "/"),
      ]
    let result = try await controller.load(.url(first), wait: follow(5), deadline: soon)
    let navigation = try #require(result.navigation)
    #expect(result.isLoaded)
    #expect(navigation.url == third + "/")
    #expect(navigation.clientRedirectOf == NavigationID(number: 2))
    #expect(
      navigation.redirects == [
        .init(url: first, status: nil, kind: .client), .init(url: second, status: nil, kind: .client),
        .init(url: third, status: 301, kind: .http),
      ])
    let kept = try controller.navigation(navigation.id)
    #expect(kept.redirects == [.init(url: third, status: 301, kind: .http)])
  }

  @Test func withoutFollowingTheFirstOneIsAnswered() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first) + EnginePageEvent.simpleLoad(second)
    let result = try await controller.load(.url(first), deadline: soon)
    #expect(result.navigation?.url == first && result.isLoaded)
    let next = try await controller.waitForLoad(after: result.navigation?.id, deadline: soon)
    #expect(next.navigation?.clientRedirectOf == result.navigation?.id)
    #expect(!page.commands.contains(.settle))
  }

  @Test func soManyAreFollowedAndNoMore() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = [first, second, third].flatMap { EnginePageEvent.simpleLoad($0) }
    let result = try await controller.load(.url(first), wait: follow(1), deadline: soon)
    #expect(result.navigation?.url == second)
    #expect(result.navigation?.redirects.map(\.url) == [first])
  }

  @Test func aRedirectThatInterruptsTheLoadIsFollowed() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let started: [EnginePageEvent] = [
      .willNavigate(url: first, isRedirect: false), .started(url: first), .committed(url: first),
    ]
    for interruption: [EnginePageEvent] in [[], [.overtaken(url: first)]] {
      page.script = started + interruption + EnginePageEvent.simpleLoad(second)
      let result = try await controller.load(.url(first), wait: follow(1), deadline: soon)
      #expect(result.navigation?.url == second && result.isLoaded)
    }
  }

  @Test func aRefreshThatIsDueSoonIsAwaited() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first)
    page.refreshes = ["9; url=/never", "2; url=/2"]
    let wait = follow(1, [.delay(seconds: 2)])
    var result: LoadResult?
    let load = Task { result = try await controller.load(.url(first), wait: wait, deadline: soon) }
    func pass(until isSo: () -> Bool) async {
      while !isSo() {
        bench.clock.advance(by: .milliseconds(1))
        await Task.yield()
      }
    }
    await pass { page.commands.contains(.settle) }
    for _ in 0..<50 { await Task.yield() }
    #expect(result == nil)
    page.refreshes = []
    page.tell(EnginePageEvent.simpleLoad(second))
    await pass { result != nil }
    try await load.value
    #expect(result?.navigation?.url == second)
  }

  @Test func whatTheDelayLetsHappenIsFollowed() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first)
    let wait = follow(1, [.delay(seconds: 2)])
    let load = Task { try await controller.load(.url(first), wait: wait, deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    while controller.state.isLoading { await Task.yield() }
    for _ in 0..<20 { await Task.yield() }
    page.tell(EnginePageEvent.simpleLoad(second))
    var result: LoadResult?
    let done = Task { result = try await load.value }
    while result == nil {
      bench.clock.advance(by: .seconds(1))
      await Task.yield()
    }
    try await done.value
    #expect(result?.navigation?.url == second)
  }

  @Test func aPageThatNeverComesToRestIsAnswered() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(first)
    page.refreshes = nil
    let load = Task { try await controller.load(.url(first), wait: follow(1), deadline: soon) }
    await page.gets { $0 == .settle }
    bench.clock.advance(by: .seconds(1))
    #expect(try await load.value.isLoaded)
  }

  @Test func aRedirectThatEndsWithItsProcessIsAnswered() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.script =
      EnginePageEvent.simpleLoad(first)
      + [.willNavigate(url: second, isRedirect: false), .started(url: second), .processTerminated(.crashed)]
    let result = try await controller.load(.url(first), wait: follow(1), deadline: soon)
    let navigation = try #require(result.navigation)
    #expect(navigation.url == second && navigation.outcome == .processTerminated)
    #expect(navigation.redirects.map(\.url) == [first])
  }

  @Test func ourOwnNewerLoadIsNoRedirect() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    let load = Task { try await controller.load(.url(first), wait: follow(5), deadline: soon) }
    await page.gets { if case .load = $0 { true } else { false } }
    page.tell(.started(url: first), .committed(url: first))
    page.script = EnginePageEvent.simpleLoad(second)
    let newer = try await controller.load(.url(second), deadline: soon)
    #expect(newer.navigation?.clientRedirectOf == nil)
    #expect(try await load.value.navigation?.outcome == .replaced)
  }
}
