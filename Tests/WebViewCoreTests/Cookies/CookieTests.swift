import Foundation
import Testing
import WebViewTesting

@testable import WebViewCore

@PageActor
@Suite struct CookieTests {
  private let soon = Deadline(seconds: 60)
  private func ready() async throws -> (controller: WebViewController, store: FakeStore, bench: TestBench) {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    return (controller, try #require(bench.engine.stores.first), bench)
  }

  @Test func whatTheJarKeptIsToldAndWhatItDroppedHasAReason() async throws {
    let (controller, store, _) = try await ready()
    store.drops = { $0.domain == ".co.uk" }
    let good = Cookie(name: "a", value: "1", domain: "site.test")
    let results = try await controller.setCookies(
      [
        good, Cookie(name: "", value: "1", domain: "site.test"),
        Cookie(name: "b", value: "1", domain: ".co.uk"),
        Cookie(name: "c", value: "1", domain: "site.test", expiresDate: Date(timeIntervalSince1970: 1)),
      ], deadline: soon)
    #expect(results.map(\.accepted) == [true, false, false, false])
    #expect(results[0] == SetCookieResult(accepted: true, stored: good))
    #expect(results.dropFirst().allSatisfy { $0.reason?.isEmpty == false })
    #expect(store.jar == [good])
  }

  @Test func theLaterOneOfAPlaceIsToldWhateverTheCaseOfItsDomain() async throws {
    let (controller, store, _) = try await ready()
    store.drops = { _ in true }
    store.jar = [
      Cookie(name: "a", value: "0", domain: "site.test"), Cookie(name: "a", value: "1", domain: "Site.test"),
      Cookie(name: "a", value: "2", domain: "site.test", path: "/x"),
    ]
    let results = try await controller.setCookies(
      [
        Cookie(name: "a", value: "1", domain: "SITE.test"),
        Cookie(name: "a", value: "3", domain: "site.test"),
      ],
      deadline: soon)
    #expect(results[0] == SetCookieResult(accepted: true, stored: store.jar[1]))
    #expect(!results[1].accepted && results[1].stored == store.jar[1])
  }

  /// Of this thread, whatever else the machine does.
  private func processorTime(_ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let begin = now()
    body()
    return now() - begin
  }

  @Test func fourTimesAsManyCookiesTakeAboutFourTimesAsLong() {
    func time(_ count: Int) -> Double {
      let cookies = (0..<count).map { Cookie(name: "name-\($0)", value: "\($0)", domain: "Site-\($0).test") }
      return (0..<3).map { _ in
        var results: [SetCookieResult] = []
        let time = processorTime {
          results = CookieRules.results(
            of: cookies, objections: cookies.map { _ in nil }, jar: cookies.reversed())
        }
        #expect(results.count { $0.accepted } == count)
        return time
      }.min() ?? 0
    }
    // Comparing each with each would take sixteen times as long.
    #expect(time(10_000) < 9 * time(2_500))
  }

  @Test func settingReplacesTheSameCookie() async throws {
    let (controller, _, _) = try await ready()
    for value in ["1", "2"] {
      _ = try await controller.setCookies(
        [Cookie(name: "a", value: value, domain: "site.test")], deadline: soon)
    }
    #expect(try await controller.cookies(CookieFilter(), deadline: soon).map(\.value) == ["2"])
  }

  @Test func filtersAreExactAndTogether() async throws {
    let (controller, store, _) = try await ready()
    store.jar = [
      Cookie(name: "a", value: "1", domain: "site.test"), Cookie(name: "a", value: "2", domain: ".site.test"),
      Cookie(name: "a", value: "3", domain: "site.test", path: "/x"),
      Cookie(name: "b", value: "4", domain: "site.test"),
    ]
    var filter = CookieFilter()
    filter.name = "a"
    filter.domain = "site.test"
    #expect(try await controller.cookies(filter, deadline: soon).map(\.value) == ["1", "3"])
    filter.path = "/x"
    #expect(try await controller.deleteCookies(filter, deadline: soon) == 1)
    #expect(try await controller.deleteCookies(filter, deadline: soon) == 0)
    #expect(store.jar.map(\.value) == ["1", "2", "4"])
    #expect(try await controller.deleteCookies(CookieFilter(), deadline: soon) == 3)
  }

  @Test func expiredOnesAreHiddenAndTheURLIsTheJarsAffair() async throws {
    let (controller, store, _) = try await ready()
    store.jar = [
      Cookie(name: "old", value: "1", domain: "site.test", expiresDate: Date(timeIntervalSince1970: 1)),
      Cookie(name: "a", value: "1", domain: "site.test"), Cookie(name: "b", value: "1", domain: "other.test"),
    ]
    #expect(try await controller.cookies(CookieFilter(), deadline: soon).map(\.name) == ["a", "b"])
    var filter = CookieFilter()
    filter.url = "http://site.test/"
    #expect(try await controller.cookies(filter, deadline: soon).map(\.name) == ["a"])
    filter.url = "about:blank"
    let error = await #expect(throws: ServiceError.self) {
      try await controller.cookies(filter, deadline: soon)
    }
    #expect(error?.details["parameter"] == "url")
  }

  @Test func aJarThatHangsEndsAtTheDeadlineOrWithTheController() async throws {
    let (controller, store, bench) = try await ready()
    store.hangs = true
    let late = Task { try await controller.cookies(CookieFilter(), deadline: Deadline(seconds: 5)) }
    for _ in 0..<20 { await Task.yield() }
    bench.clock.advance(by: .seconds(5))
    let timeout = await #expect(throws: ServiceError.self) { try await late.value }
    #expect(timeout?.code == .timeout)
    let open = Task { try await controller.cookies(CookieFilter(), deadline: soon) }
    for _ in 0..<20 { await Task.yield() }
    try bench.controllers.dispose(controller.id)
    let disposed = await #expect(throws: ServiceError.self) { try await open.value }
    #expect(disposed?.code == .disposed)
  }

  @Test(arguments: [
    Cookie(name: "a", value: "1", domain: "localhost"), Cookie(name: "a", value: "1", domain: ".site.test"),
    Cookie(name: "a", value: "", domain: "127.0.0.1"), Cookie(name: "a", value: "x=y z", domain: "[::1]"),
    Cookie(name: "__Host-a", value: "1", domain: "site.test", isSecure: true),
    Cookie(
      name: "a", value: "1", domain: ".localhost", expiresDate: Date(timeIntervalSince1970: 4_000_000_000)),
  ])
  func nothingSpeaksAgainst(cookie: Cookie) {
    #expect(CookieRules.objection(to: cookie, now: Date(timeIntervalSince1970: 1_000)) == nil)
  }

  @Test(arguments: [
    Cookie(name: "", value: "1", domain: "site.test"), Cookie(name: "a b", value: "1", domain: "site.test"),
    Cookie(name: "a=b", value: "1", domain: "site.test"), Cookie(name: "é", value: "1", domain: "site.test"),
    Cookie(name: "a", value: "1\n", domain: "site.test"),
    Cookie(name: "a", value: "1;2", domain: "site.test"),
    Cookie(name: "a", value: "1", domain: ""), Cookie(name: "a", value: "1", domain: "."),
    Cookie(name: "a", value: "1", domain: ".com"), Cookie(name: "a", value: "1", domain: ".127.0.0.1"),
    Cookie(name: "a", value: "1", domain: "site.test:80"), Cookie(name: "a", value: "1", domain: "a..b"),
    Cookie(name: "a", value: "1", domain: "site.test", path: "x"),
    Cookie(name: "a", value: "1", domain: "site.test", expiresDate: Date(timeIntervalSince1970: 1_000)),
    Cookie(name: "__Secure-a", value: "1", domain: "site.test"),
    Cookie(name: "__Host-a", value: "1", domain: ".site.test", isSecure: true),
    Cookie(name: "a", value: String(repeating: "x", count: 4096), domain: "site.test"),
  ])
  func theJarWouldNotKeep(cookie: Cookie) {
    #expect(CookieRules.objection(to: cookie, now: Date(timeIntervalSince1970: 1_000)) != nil)
  }
}
