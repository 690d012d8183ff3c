import CGLib
import Dispatch
import GLibBridge
import Testing

/// `GTask` stands for any operation of a library; its callbacks come in the loop where it was begun.
@LoopActor
@Suite(.timeLimit(.minutes(1))) struct AsyncResultTests {
  /// An operation that has begun and is answered, or not, by the test.
  @LoopActor
  private final class Operation {
    private(set) var task: OpaquePointer?
    let begun = Arrival<Void>()
    let finished = Journal<Int>()
    /// Whether it was on the loop's thread that the library was called, and called back.
    let places = Journal<Bool>()

    var isCancelled: Bool { g_cancellable_is_cancelled(g_task_get_cancellable(task)) != 0 }

    func start(
      _ cancellable: UnsafeMutablePointer<GCancellable>, _ callback: @escaping GAsyncReadyCallback,
      _ data: gpointer
    ) {
      places.add(LoopActor.loop.isCurrent)
      task = g_task_new(nil, cancellable, callback, data)
      // Else GTask answers for a cancelled operation itself.
      g_task_set_check_cancellable(task, 0)
      begun.send()
    }

    func finish(_ result: OpaquePointer, _ error: inout GErrorPointer) -> Int? {
      let value = g_task_propagate_int(result, &error)
      finished.add(value)
      places.add(LoopActor.loop.isCurrent)
      return error == nil ? value : nil
    }

    func answer(_ value: Int) {
      g_task_return_int(task, value)
      g_object_unref(task.map { UnsafeMutableRawPointer($0) })
    }

    /// Begins it and waits for the answer, holding `token` as long as the operation may need it.
    func run(holding token: Token? = nil) async throws -> Int {
      try await awaitResult {
        start($0, $1, $2)
      } finish: { result, error in
        token?.hold()
        return self.finish(result, &error)
      }
    }
  }

  private func turn() async throws {
    let turn = Arrival<Void>()
    LoopActor.loop.later { LoopActor.loop.later { turn.send() } }
    try await turn.value
  }

  @Test func aValueComesBack() async throws {
    let operation = Operation()
    async let value = operation.run()
    try await operation.begun.value
    operation.answer(7)
    #expect(try await value == 7)
    #expect(operation.finished.entries == [7])
    #expect(!operation.isCancelled)
  }

  /// An operation that `answer` ends at once, read by `finish`.
  private func run(
    answer: (OpaquePointer?) -> Void, finish: @escaping (OpaquePointer, inout GErrorPointer) -> Int?
  ) async throws -> Int {
    try await awaitResult { cancellable, callback, data in
      #expect(LoopActor.loop.isCurrent)
      let task = g_task_new(nil, cancellable, callback, data)
      answer(task)
      g_object_unref(task.map { UnsafeMutableRawPointer($0) })
    } finish: {
      finish($0, &$1)
    }
  }

  @Test func theLibraryIsCalledOnTheCallersThreadWhateverTheTaskPrefers() async throws {
    for preference in [nil, TransportActor.taskExecutor as any TaskExecutor] {
      let operation = Operation()
      let waiting = Task(executorPreference: preference) { try await operation.run() }
      try await operation.begun.value
      operation.answer(1)
      #expect(try await waiting.value == 1)
      #expect(operation.places.entries == [true, true])
    }
  }

  @Test func anErrorKeepsItsDomainAndCode() async {
    let error = await #expect(throws: GLibError.self) {
      try await run {
        g_task_return_error(
          $0, g_error_new_literal(g_io_error_quark(), Int32(G_IO_ERROR_BUSY.rawValue), "not now"))
      } finish: {
        g_task_propagate_int($0, &$1)
      }
    }
    #expect(
      error == GLibError(domain: "g-io-error-quark", code: Int(G_IO_ERROR_BUSY.rawValue), message: "not now"))
  }

  @Test func nothingAtAllIsAnErrorToo() async {
    let error = await #expect(throws: GLibError.self) {
      try await run {
        g_task_return_int($0, 1)
      } finish: { _, _ in
        nil
      }
    }
    #expect(error?.domain == "no-result")
  }

  @Test func cancellingEndsTheWaitAndTheLateAnswerIsFinishedOnce() async throws {
    let (operation, gone) = (Operation(), Arrival<Void>())
    let waiting = Task { [token = Token(gone)] in try await operation.run(holding: token) }
    try await operation.begun.value
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(operation.isCancelled)
    #expect(operation.finished.entries.isEmpty)
    operation.answer(9)
    try await turn()
    #expect(operation.finished.entries == [9])
    try await gone.value
  }

  @Test func whatIsCancelledBeforeItBeginsNeverBegins() async throws {
    let (operation, gone) = (Operation(), Arrival<Void>())
    let waiting = Task { [token = Token(gone)] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await operation.run(holding: token)
    }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(operation.task == nil)
    try await gone.value
  }

  @Test func whatAFinishedOperationHeldIsFreed() async throws {
    let (operation, gone) = (Operation(), Arrival<Void>())
    let waiting = Task { [token = Token(gone)] in try await operation.run(holding: token) }
    try await operation.begun.value
    operation.answer(1)
    #expect(try await waiting.value == 1)
    try await gone.value
  }

  @Test func answersThatRaceWithCancellationEndTheWaitOnceAndFinishOnce() async throws {
    for number in 0..<300 {
      let operation = Operation()
      let waiting = Task { try await operation.run() }
      try await operation.begun.value
      DispatchQueue.global().async { waiting.cancel() }
      operation.answer(number)
      do {
        #expect(try await waiting.value == number)
      } catch {
        #expect(error is CancellationError)
        try await turn()
      }
      #expect(operation.finished.entries == [number])
    }
  }

  @Test func eachOfManyGetsItsOwn() async throws {
    let operations = (0..<100).map { _ in Operation() }
    let waiting = operations.map { operation in Task { try await operation.run() } }
    for operation in operations { try await operation.begun.value }
    for (number, operation) in operations.enumerated().reversed() { operation.answer(number) }
    for (number, task) in waiting.enumerated() { #expect(try await task.value == number) }
  }
}
