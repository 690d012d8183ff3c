import Testing

@testable import WebKitEngine

@Suite struct NetworkActivityTests {
  private let start = ContinuousClock.now
  private func resource(_ number: Int) -> NetworkActivity.Resource {
    UnsafeRawPointer(bitPattern: number * 8)!
  }
  private func moment(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func itIsQuietSinceTheLastEnd() {
    var activity = NetworkActivity(now: start)
    #expect(activity.quiet(now: moment(2)) == .seconds(2))
    activity.began(resource(1))
    activity.began(resource(2))
    activity.ended(resource(1), now: moment(3))
    #expect(activity.quiet(now: moment(9)) == nil)
    activity.ended(resource(2), now: moment(5))
    #expect(activity.quiet(now: moment(9)) == .seconds(4))
    activity.ended(resource(2), now: moment(8))
    #expect(activity.quiet(now: moment(9)) == .seconds(4), "an end told twice")
  }

  @Test func aNewDocumentForgetsAllButItsOwn() {
    var activity = NetworkActivity(now: start)
    activity.began(resource(1))
    activity.began(resource(2))
    activity.documentCommitted(main: resource(2), now: moment(1))
    #expect(activity.quiet(now: moment(9)) == nil)
    activity.ended(resource(2), now: moment(3))
    #expect(activity.quiet(now: moment(9)) == .seconds(6))
    activity.began(resource(3))
    activity.processEnded(now: moment(4))
    #expect(activity.quiet(now: moment(9)) == .seconds(5))
  }
}

@Suite struct NavigationActionsTests {
  @Test func whatStartsIsTheLastOneAskedForWithItsAddress() {
    var actions = NavigationActions()
    #expect(!actions.wasUserInitiated("a"))
    actions.note("a", isUserInitiated: true)
    actions.note("frame", isUserInitiated: false)
    #expect(actions.wasUserInitiated("a"))
    actions.note("a", isUserInitiated: false)
    #expect(!actions.wasUserInitiated("a"))
    for number in 0..<40 { actions.note("\(number)", isUserInitiated: true) }
    #expect(!actions.wasUserInitiated("1") && actions.wasUserInitiated("39"))
  }
}
