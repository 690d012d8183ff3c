import CGLib
import GLibBridge
import Glibc
import Testing

/// Work in a copy of the process: what it gives comes back, and what has no end is ended.
@Suite struct ForkedWorkTests {
  /// Reaps the copies.
  private actor Parent {
    private let thread = LoopThread(name: "forked-work")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor.asUnownedSerialExecutor() }

    func bytes(_ limit: ForkedWork.Limit, _ body: @Sendable () -> OpaquePointer?) async -> [UInt8]? {
      await ForkedWork.bytes(within: limit, reapedBy: thread.executor, body)
    }
  }

  private let parent = Parent()
  private let limit = ForkedWork.Limit(work: .milliseconds(200), time: .seconds(2), bytes: 1000)

  private func bytes(
    _ limit: ForkedWork.Limit, _ body: @Sendable () -> OpaquePointer?
  ) async -> [UInt8]? {
    await parent.bytes(limit, body)
  }

  @Test func whatItGivesComesBack() async {
    let given = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    for size in [1000, 1, 0] {
      let made = Made(Array(given.prefix(size)))
      #expect(await bytes(limit) { made.bytes } == Array(given.prefix(size)))
    }
  }

  @Test func nothingIsNoAnswer() async {
    #expect(await bytes(limit) { nil } == nil)
    let large = Made([UInt8](repeating: 0, count: 1001))
    #expect(await bytes(limit) { large.bytes } == nil)
  }

  @Test func workWithoutAnEndIsEnded() async {
    #expect(
      await bytes(limit) {
        while getpid() > 0 {}
        return nil
      } == nil)
  }

  @Test func aCopyThatHangsIsEnded() async {
    var limit = limit
    limit.time = .milliseconds(200)
    #expect(
      await bytes(limit) {
        while true { pause() }
      } == nil)
  }

  @Test func nobodyWaitsForWhatIsNoLongerWanted() async {
    var limit = limit
    limit.time = .seconds(300)
    let work = Task { [limit] in
      await bytes(limit) {
        while true { pause() }
      }
    }
    work.cancel()
    let start = ContinuousClock.now
    #expect(await work.value == nil)
    #expect(ContinuousClock.now - start < limit.time)
  }

  @Test func whatItDoesIsItsOwn() async {
    let made = Made([1])
    #expect(
      await bytes(limit) {
        made.count += 1
        return made.bytes
      } == [1])
    #expect(made.count == 0)
  }

  // Safe because the copy has one thread, and nobody else changes it.
  private final class Made: @unchecked Sendable {
    let bytes: OpaquePointer
    var count = 0
    init(_ bytes: [UInt8]) { self.bytes = g_bytes_new(bytes, gsize(bytes.count)) }
    deinit { g_bytes_unref(bytes) }
  }
}
