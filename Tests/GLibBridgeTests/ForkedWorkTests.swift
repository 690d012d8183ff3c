import GLibBridge
import Glibc
import Testing

/// Work in a copy of the process: what it gives comes back, and what has no end is ended.
@Suite struct ForkedWorkTests {
  /// Reaps the copies.
  private actor Parent {
    private let thread = LoopThread(name: "forked-work")
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor.asUnownedSerialExecutor() }

    func bytes(_ limit: ForkedWork.Limit, _ body: @Sendable () -> [UInt8]?) async -> [UInt8]? {
      await ForkedWork.bytes(within: limit, reapedBy: thread.executor, body)
    }
  }

  private let parent = Parent()
  private let limit = ForkedWork.Limit(work: .milliseconds(200), time: .seconds(2), bytes: 1000)

  private func bytes(
    _ limit: ForkedWork.Limit, _ body: @Sendable () -> [UInt8]?
  ) async -> [UInt8]? {
    await parent.bytes(limit, body)
  }

  /// Of a copy that did not hang: the other tests' threads hold more locks than a server's.
  private func answer(_ body: @Sendable () -> [UInt8]?) async -> [UInt8]? {
    for _ in 0..<5 {
      if let answer = await bytes(limit, body) { return answer }
    }
    return nil
  }

  @Test func whatItGivesComesBack() async {
    let given = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    for _ in 0..<20 { #expect(await answer { given } == given) }
    #expect(await answer { [] } == [])
  }

  @Test func nothingIsNoAnswer() async {
    #expect(await bytes(limit) { nil } == nil)
    #expect(await bytes(limit) { [UInt8](repeating: 0, count: 1001) } == nil)
  }

  @Test func workWithoutAnEndIsEnded() async {
    #expect(
      await bytes(limit) {
        while getpid() > 0 {}
        return []
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

  @Test func whatItDoesIsItsOwn() async {
    let count = Counter()
    #expect(
      await answer {
        count.value += 1
        return [UInt8(count.value)]
      } == [1])
    #expect(count.value == 0)
  }

  private final class Counter: @unchecked Sendable { var value = 0 }
}
