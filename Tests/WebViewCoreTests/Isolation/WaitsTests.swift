import Testing
import WebViewTesting

@testable import WebViewCore

@PageActor
@Suite struct WaitsTests {
  private struct Failure: Error, Equatable {}
  private let waits = Waits<Int>(timers: Timers(clock: ManualClock()))
  private let deadline = Deadline(seconds: 60)
  private let late = ServiceError(.timeout, "late")

  @Test func whatFailsBeforeItsCallerWaitsIsNotLost() async {
    waits.fail(1, Failure())
    await #expect(throws: Failure.self) {
      let _: Int = try await waits.wait(
        1, deadline: deadline, expired: { late }, withdrawn: {},
        start: { _ in Issue.record("nothing is to begin") })
    }
  }

  @Test func aCallerThatLeftBeforeItWaitedIsWithdrawn() async {
    var withdrawals = 0
    let task = Task { @PageActor in
      withUnsafeCurrentTask { $0?.cancel() }
      let _: Int = try await waits.wait(
        2, deadline: deadline, expired: { late }, withdrawn: { withdrawals += 1 }, start: { _ in })
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(withdrawals == 1)
  }
}
