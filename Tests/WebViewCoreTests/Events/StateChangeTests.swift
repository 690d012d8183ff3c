import Testing
import WebViewTesting

@testable import WebViewCore

/// `stateChange`: one event for all that changes in one turn of the loop, and none for what does not.
@PageActor
@Suite(.timeLimit(.minutes(1))) struct StateChangeTests {
  private let url = "http://site.test/a"
  private let bench = TestBench()

  /// With a document, and everything told.
  private func loaded() async throws -> (controller: WebViewController, page: FakePage, told: Int) {
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.url(url), deadline: Deadline(seconds: 600))
    controller.flushStateChange()
    return (controller, page, bench.told.count)
  }

  private func somethingIsTold(after count: Int) async {
    while bench.told.count == count { await Task.yield() }
  }

  private func titles(after count: Int) -> [String?] {
    #expect(bench.toldTypes.dropFirst(count).allSatisfy { $0 == .stateChange })
    return bench.told.dropFirst(count).map(\.state?.title)
  }

  @Test func changesOfOneTurnAreOneEventWithTheLastState() async throws {
    let (_, page, told) = try await loaded()
    for number in 1...500 {
      page.title = "\(number)"
      page.tell(.stateChanged)
    }
    #expect(bench.told.count == told, "the turn is not over")
    await somethingIsTold(after: told)
    #expect(titles(after: told) == ["500"])
  }

  @Test func changesOfTwoTurnsAreTwoEvents() async throws {
    let (_, page, told) = try await loaded()
    for (number, title) in ["one", "two"].enumerated() {
      page.title = title
      page.tell(.stateChanged, .stateChanged)
      await somethingIsTold(after: told + number)
    }
    #expect(titles(after: told) == ["one", "two"])
  }

  @Test func whatIsAsItWasIsNotToldAndDoesNotHoldUpTheNext() async throws {
    let (controller, page, told) = try await loaded()
    let before = page.title
    page.title = "between"
    page.tell(.stateChanged)
    page.title = before
    page.tell(.stateChanged)
    controller.flushStateChange()
    #expect(bench.told.count == told)
    page.title = "after"
    page.tell(.stateChanged)
    await somethingIsTold(after: told)
    #expect(titles(after: told) == ["after"])
  }
}
