import CGLib
import Foundation
import GLibBridge
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoopThreadTests {
  private func ask<Value: Sendable>(
    _ thread: LoopThread, _ question: @escaping @Sendable () -> Value
  ) async throws -> Value {
    let answer = Arrival<Value>()
    thread.executor.post { answer.send(question()) }
    return try await answer.value
  }

  @Test func eachIsAThreadOfItsOwnWithItsName() async throws {
    let first = LoopThread(name: "first-loop")
    let second = LoopThread(name: "a-name-that-is-too-long")
    for (thread, name) in [(first, "first-loop\n"), (second, "a-name-that-is-\n")] {
      #expect(
        try await ask(thread) { try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
          == name)
    }
    #expect(try await ask(first) { first.executor.isCurrent && !second.executor.isCurrent })
    #expect(try await ask(second) { second.executor.isCurrent && !first.executor.isCurrent })
  }

  @Test func whatIsMadeOnTheThreadRunsOnIt() async throws {
    let thread = LoopThread(name: "owner")
    #expect(
      try await ask(thread) {
        let context = g_main_context_get_thread_default()
        return context != nil && context != g_main_context_default() && g_main_context_is_owner(context) != 0
      })
    let place = Arrival<Bool>()
    // The timer names no context: it goes to the thread's.
    thread.executor.post {
      _ = Unmanaged.passRetained(
        LoopSource.timer(every: .milliseconds(1)) {
          place.send(thread.executor.isCurrent)
          return false
        })
    }
    #expect(try await place.value)
  }
}
