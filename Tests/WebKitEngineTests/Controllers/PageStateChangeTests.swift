import Testing
import WebViewCore

@testable import WebKitEngine

/// What WebKit signals while it is called is told once, and when the call is over.
@PageActor
@Suite(.serialized) struct PageStateChangeTests {
  @Test func changesWithinACallAreOneEventAfterIt() async throws {
    let (page, own) = try EngineHarness.pageOfTheEngine()
    try await page.after { $0.load(.html("<title>before</title>", baseURL: nil)) }
    await page.settle()
    page.forget()
    for round in 1...3 {
      own.calling {
        for number in 1...100 { own.titleChanged("\(round).\(number)") }
      }
      #expect(page.events.isEmpty)
      try await page.wait("change") { !$0.isEmpty }
      await page.settle()
      #expect(page.events == [.stateChanged])
      #expect(page.page.title == "\(round).100")
      page.forget()
    }
  }
}
