import Testing
import WebViewTesting

@testable import WebViewCore

@PageActor
@Suite struct TimersTests {
  @Test func timersFireInTheOrderInWhichTheyAreDue() async {
    let clock = ManualClock()
    let timers = Timers(clock: clock)
    let done = OneShot()
    var fired: [Int] = []
    _ = timers.after(.seconds(3)) {
      fired.append(3)
      done.fire()
    }
    _ = timers.after(.seconds(1)) { fired.append(1) }
    let cancelled = timers.after(.seconds(2)) { fired.append(2) }
    timers.cancel(cancelled)
    clock.advance(by: .seconds(3))
    await done.wait()
    #expect(fired == [1, 3])
  }

  @Test func aTimerThatIsNotDueWaits() async {
    let clock = ManualClock()
    let timers = Timers(clock: clock)
    let first = OneShot()
    let second = OneShot()
    var isLate = false
    _ = timers.after(.seconds(1)) { first.fire() }
    _ = timers.after(.seconds(10)) {
      isLate = true
      second.fire()
    }
    clock.advance(by: .seconds(5))
    await first.wait()
    #expect(!isLate)
    clock.advance(by: .seconds(5))
    await second.wait()
    #expect(isLate)
  }

  @Test func aDeadlineThatHasPassedEndsTheWaitAtOnce() async {
    let timers = Timers(clock: ContinuousClock())
    let error = await #expect(throws: ServiceError.self) {
      try await withDeadline(Deadline(seconds: 0), timers: timers) {
        try await Task.sleep(for: .seconds(3600))
      }
    }
    #expect(error?.code == .timeout)
  }
}
