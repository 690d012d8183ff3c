import CGLib
import Dispatch
import GLibBridge
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoopExecutorTests {
  private static var loop: LoopExecutor { LoopActor.loop }
  private var loop: LoopExecutor { Self.loop }

  /// Returns when all that was posted before has run.
  private func settled() async throws {
    let end = Arrival<Void>()
    loop.post { end.send() }
    try await end.value
  }

  @Test func jobsAndPostsRunInTheOrderTheyCame() async throws {
    let seen = Journal<Int>()
    let gate = Arrival<Void>()
    // All of them are queued before the first runs.
    loop.post { try? gate.wait() }
    for number in 0..<200 {
      if number.isMultiple(of: 3) {
        Task { @LoopActor in seen.add(number) }
      } else {
        loop.post { seen.add(number) }
      }
    }
    gate.send()
    try await settled()
    #expect(seen.entries == Array(0..<200))
  }

  @Test func aLoopThatSleepsIsWokenByEachPost() async throws {
    let loop = loop
    let trips = Arrival<Int>()
    DispatchQueue.global().async {
      for number in 0..<2_000 {
        let there = DispatchSemaphore(value: 0)
        loop.post { there.signal() }
        guard there.wait(timeout: .now() + 10) == .success else { return trips.send(number) }
      }
      trips.send(2_000)
    }
    #expect(try await trips.value == 2_000)
  }

  @Test func whatManyThreadsGiveAtOnceRunsOnceAndInTheOrderOfEach() async throws {
    struct Step: Equatable, Sendable {
      let thread, number: Int
    }
    let (threads, each) = (8, 1_000)
    let loop = loop
    let posts = Journal<Step>()
    let jobs = Journal<Step>()
    let strays = Journal<Step>()
    let given = Arrival<Void>()
    DispatchQueue.global().async {
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        for number in 0..<each {
          loop.post {
            posts.add(Step(thread: thread, number: number))
            if !loop.isCurrent { strays.add(Step(thread: thread, number: number)) }
          }
          Task { @LoopActor in
            jobs.add(Step(thread: thread, number: number))
            if !loop.isCurrent { strays.add(Step(thread: thread, number: number)) }
          }
        }
      }
      given.send()
    }
    try await given.value
    try await settled()
    for seen in [posts.entries, jobs.entries] {
      #expect(seen.count == threads * each)
      for thread in 0..<threads {
        #expect(seen.filter { $0.thread == thread }.map(\.number) == Array(0..<each))
      }
    }
    #expect(strays.entries.isEmpty)
  }

  @Test func laterIsAfterAllThatIsReadyNow() async throws {
    let seen = Journal<String>()
    let end = Arrival<Void>()
    // One with nothing else to do, whose turn has room.
    let loop = LoopThread(name: "idle").executor
    loop.post {
      loop.later {
        seen.add("later")
        end.send()
      }
      loop.post { seen.add("in the same turn") }
      seen.add("now")
    }
    try await end.value
    #expect(seen.entries == ["now", "in the same turn", "later"])
  }

  @Test func laterWakesTheLoopRunsThereOnceAndLetsGo() async throws {
    let places = Journal<Bool>()
    let gone = Arrival<Void>()
    do {
      let token = Token(gone)
      loop.later { [loop] in
        token.hold()
        places.add(loop.isCurrent)
      }
    }
    try await gone.value
    try await settled()
    #expect(places.entries == [true])
  }

  /// Posts itself again until told to end.
  private final class Restless: Sendable {
    let isOver = Atomic<Bool>(false)
    func step() {
      if !isOver.load(ordering: .acquiring) { LoopExecutorTests.loop.post { self.step() } }
    }
    @concurrent func run() async { await yield() }
    @LoopActor private func yield() async {
      while !isOver.load(ordering: .acquiring) { await Task.yield() }
    }
  }

  @Test(arguments: ["posts", "jobs"])
  func endlessWorkLeavesTheLoopsOtherSourcesTheirTurn(kind: String) async throws {
    let restless = Restless()
    defer { restless.isOver.store(true, ordering: .releasing) }
    if kind == "posts" { restless.step() } else { Task { await restless.run() } }
    let turns = Arrival<Void>()
    loop.later { LoopExecutorTests.loop.later { turns.send() } }
    try await turns.value
  }

  @Test func aLoopInsideOfAJobRunsOtherSourcesButNoJob() async throws {
    let seen = Journal<String>()
    let end = Arrival<Void>()
    let loop = loop
    loop.post {
      loop.later { seen.add("source") }
      loop.post {
        seen.add("second job")
        end.send()
      }
      for _ in 0..<5 { g_main_context_iteration(g_main_context_get_thread_default(), 0) }
      seen.add("first job")
    }
    try await end.value
    #expect(seen.entries == ["source", "first job", "second job"])
  }

  @concurrent private static func isOnLoop() async -> Bool { loop.isCurrent }

  @Test func tasksThatPreferTheLoopStayOnItWhereverTheyGo() async {
    let places = await Task(executorPreference: loop.taskExecutor) {
      var places = [Self.loop.isCurrent]
      places.append(await Self.isOnLoop())
      async let child = Self.isOnLoop()
      places.append(await child)
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      places.append(Self.loop.isCurrent)
      return places
    }.value
    #expect(places == [true, true, true, true])
    #expect(await Self.isOnLoop() == false, "without the preference it is the pool")
  }

  @Test func aPreferenceIsLeftForAnotherAndComesBack() async {
    let places = await Task(executorPreference: loop.taskExecutor) {
      let away = await withTaskExecutorPreference(globalConcurrentExecutor) { await Self.isOnLoop() }
      return [away, await Self.isOnLoop()]
    }.value
    #expect(places == [false, true])
  }

  @Test func theThreadOfALoopIsItsIsolation() async {
    #expect(!loop.isCurrent)
    #expect(loop.isIsolatingCurrentContext() == false)
    let inside = await { @LoopActor in
      LoopActor.shared.preconditionIsolated()
      Self.loop.checkIsolated()
      return Self.loop.isCurrent && Self.loop.isIsolatingCurrentContext() == true
    }()
    #expect(inside)
  }

  @Test func anIsolationThatDoesNotHoldEndsTheProgram() async {
    await #expect(processExitsWith: .failure) { LoopActor.loop.checkIsolated() }
    await #expect(processExitsWith: .failure) { LoopActor.shared.preconditionIsolated() }
    await #expect(processExitsWith: .failure) { TransportActor.assumeIsolated {} }
  }

  @Test func theTransportsIsolationIsKnownToCallbacksOnItsThread() async throws {
    let place = Arrival<Bool>()
    TransportActor.loop.post { place.send(TransportActor.assumeIsolated { TransportActor.loop.isCurrent }) }
    #expect(try await place.value)
  }
}
