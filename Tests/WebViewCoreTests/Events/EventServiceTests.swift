import Synchronization
import Testing
import WebViewTesting

@testable import WebViewCore

@PageActor
@Suite struct EventServiceTests {
  private let first = ControllerID(text: "first")
  private let second = ControllerID(text: "second")

  @Test func aSubscriberHearsWhatItAskedForInOrderUntilItLeaves() {
    let service = EventService(limits: Limits())
    let heard = Mutex<[Int]>([])
    service.publish(ControllerEvent(.loadStart), of: first)
    let id = service.subscribe(.init(controllerID: first, types: [.commit, .loadFinish])) { entry in
      heard.withLock { $0.append(entry.sequence) }
    }
    for (type, controller) in [
      (EventType.commit, first), (.commit, second), (.loadStart, first), (.loadFinish, first),
    ] {
      service.publish(ControllerEvent(type), of: controller)
    }
    service.unsubscribe(id)
    service.publish(ControllerEvent(.commit), of: first)
    #expect(heard.withLock { $0 } == [2, 5])
    #expect(service.sequence == 6)
  }

  @Test func aPollAnswersWithTheFirstEventThatMatches() async throws {
    let clock = ManualClock()
    let service = EventService(limits: Limits(), clock: clock)
    let poll = Task {
      try await service.entries(.init(controllerID: first), since: 0, run: nil, limit: 10, poll: 60)
    }
    for _ in 0..<20 { await Task.yield() }
    service.publish(ControllerEvent(.commit), of: second)
    service.publish(ControllerEvent(.commit), of: first)
    #expect(try await poll.value.entries.map(\.sequence) == [2])
  }

  @Test func aPollEndsEmptyAtItsTimeAndAtOnceWhenTheCallerLeaves() async throws {
    let clock = ManualClock()
    let service = EventService(limits: Limits(), clock: clock)
    let late = Task { try await service.entries(.init(), since: 0, run: nil, limit: 10, poll: 60) }
    for _ in 0..<20 { await Task.yield() }
    clock.advance(by: .seconds(60))
    #expect(try await late.value.entries.isEmpty)
    let left = Task { try await service.entries(.init(), since: 0, run: nil, limit: 10, poll: 60) }
    for _ in 0..<20 { await Task.yield() }
    left.cancel()
    await #expect(throws: CancellationError.self) { try await left.value }
  }

  @Test func pollsEndEmptyWhenTheServerStops() async throws {
    let bench = TestBench()
    let (controller, _) = try await bench.makeController()
    let events = Task { try await bench.events.entries(.init(), since: nil, run: nil, limit: 1, poll: 300) }
    let questions = Task { try await controller.callbacks(kinds: nil, since: nil, poll: 300) }
    for _ in 0..<100 { await Task.yield() }
    bench.events.endPolls()
    bench.callbacks.endPolls()
    #expect(try await events.value.entries.isEmpty)
    #expect(try await questions.value.callbacks.isEmpty)
  }

  @Test func anotherRunsNumberIsAGapAtOnce() async throws {
    let service = EventService(limits: Limits())
    let page = try await service.entries(.init(), since: 5, run: "another", limit: 10, poll: 60)
    #expect(page.gap == 0...0)
  }
}
