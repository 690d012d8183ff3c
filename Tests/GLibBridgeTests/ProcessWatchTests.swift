import GLibBridge
import Glibc
import Testing

/// Watches are made and let go on their loop's thread, where these tests run.
@LoopActor
@Suite(.timeLimit(.minutes(1))) struct ProcessWatchTests {
  @Test func theEndIsToldOnce() async throws {
    let child = try await spawn(["sleep", "1000"])
    let (end, told) = (Arrival<Void>(), Journal<Void>())
    let watch = try #require(
      ProcessWatch(child.pid) {
        told.add(())
        end.send()
      })
    #expect(watch.process == child.pid)
    try await laterTurn()
    #expect(told.entries.isEmpty, "it lives")
    child.send(SIGKILL)
    try await end.value
    _ = try await child.end
    try await laterTurn()
    #expect(told.entries.count == 1)
  }

  @Test func theEndOfOneThatIsGoneIsToldInALaterTurn() async throws {
    let child = try await spawn(["true"])
    _ = try await child.end
    let (end, told) = (Arrival<Void>(), Journal<Void>())
    let watch = try #require(
      ProcessWatch(child.pid) {
        told.add(())
        end.send()
      })
    #expect(told.entries.isEmpty)
    try await end.value
    try await laterTurn()
    #expect(told.entries.count == 1 && watch.process == child.pid)
  }

  @Test(arguments: [false, true]) func aWatchThatWasLetGoIsSilent(_ isGone: Bool) async throws {
    let child = try await spawn(["sleep", "1000"])
    if isGone {
      child.send(SIGKILL)
      _ = try await child.end
    }
    let (gone, told) = (Arrival<Void>(), Journal<Void>())
    do {
      let token = Token(gone)
      _ = try #require(
        ProcessWatch(child.pid) {
          token.hold()
          told.add(())
        })
    }
    try await gone.value
    child.send(SIGKILL)
    _ = try await child.end
    try await laterTurn()
    #expect(told.entries.isEmpty)
  }

  private func laterTurn() async throws {
    let turn = Arrival<Void>()
    LoopActor.loop.later { LoopActor.loop.later { turn.send() } }
    try await turn.value
  }
}
