import Testing
import WebViewCore
import WebViewTesting

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct FileScopesTests {
  private let clock = ManualClock()
  private let timers: Timers
  private let scopes: FileScopes

  init() throws {
    _ = try EngineHarness.engine()
    timers = Timers(clock: clock)
    scopes = try FileScopes(directory: nil, timers: timers)
  }

  private func scope(_ number: Int) -> FileScopes.Scope { .init(readAccess: "/none/\(number)") }

  private func filter(for scope: FileScopes.Scope) async -> FileScopes.Filter? {
    await withCheckedContinuation { done in scopes.filter(for: scope) { done.resume(returning: $0) } }
  }

  /// When the timers have done what is due by then.
  private func advance(by duration: Duration) async {
    await withCheckedContinuation { done in
      _ = timers.after(duration) { done.resume() }
      clock.advance(by: duration)
    }
  }

  @Test func rulesThatAreNotThereInTimeAreNotWaitedFor() async {
    defer { scopes.removeDirectory() }
    var answers: [Bool] = []
    scopes.filter(for: scope(1)) { answers.append($0 != nil) }
    scopes.filter(for: scope(1)) { answers.append($0 != nil) }
    await advance(by: .seconds(5))
    #expect(answers == [false, false])
    #expect(await filter(for: scope(1)) != nil)
  }

  @Test func theDeadlineOfRulesDoesNotEndTheirSuccessors() async {
    defer { scopes.removeDirectory() }
    #expect(await filter(for: scope(0)) != nil)
    await advance(by: .seconds(3))
    // So many others that the first is forgotten.
    for number in 1...70 { #expect(await filter(for: scope(number)) != nil) }
    var answer: Bool?
    scopes.filter(for: scope(0)) { answer = $0 != nil }
    #expect(answer == nil, "the rules were not forgotten")
    await advance(by: .seconds(2))
    #expect(answer != false)
    #expect(await filter(for: scope(0)) != nil)
  }
}
