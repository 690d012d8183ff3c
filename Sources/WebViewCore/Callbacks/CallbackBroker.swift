/// Takes each question to whoever claims it, and each answer back; see `CallbackLedger` for the rules.
@PageActor
public final class CallbackBroker {
  public struct ClaimerID: Sendable, Hashable { let claimer: CallbackLedger.Claimer }
  public struct Page: Sendable, Equatable {
    public var callbacks: [Callback]
    public var next: Int
    public init(callbacks: [Callback], next: Int) {
      self.callbacks = callbacks
      self.next = next
    }
  }
  /// What the page gets.
  typealias Answer = @PageActor (CallbackID, ScriptMessageReply) -> Void
  private struct Question {
    let timer: Timers.ID
    let answer: Answer
  }

  private let limits: Limits
  private let timers: Timers
  private var ledger: CallbackLedger
  private var questions: [CallbackID: Question] = [:]
  private var sinks: [CallbackLedger.Claimer: @Sendable (ClaimNotice) -> Void] = [:]
  /// Long polls that wait for a question.
  private var polls: [Int: (controllerID: ControllerID, signal: OneShot)] = [:]
  private var pollCount = 0
  private let start = ContinuousClock.now
  /// Where openings and closings are told.
  var events: EventService?

  public nonisolated init(limits: Limits, clock: any Clock<Duration> = ContinuousClock()) {
    self.limits = limits
    timers = Timers(clock: clock)
    ledger = CallbackLedger(limit: limits.pendingCallbacks, byteLimit: limits.pendingCallbackBytes)
  }

  // MARK: Claims

  /// A channel that may claim. nil controller: the server's channel, which a controller's channel beats.
  public func register(
    controllerID: ControllerID?, sink: @escaping @Sendable (ClaimNotice) -> Void
  ) -> ClaimerID {
    let claimer = ledger.register(controllerID)
    sinks[claimer] = sink
    return ClaimerID(claimer: claimer)
  }

  /// Replaces what this claimer claims.
  public func claim(_ kinds: Set<CallbackKind>, by claimer: ClaimerID) {
    tell(ledger.claim(kinds, by: claimer.claimer, now: now))
  }

  /// The channel is gone: its open questions fall back at once.
  public func unregister(_ claimer: ClaimerID) {
    sinks[claimer.claimer] = nil
    let (closed, told) = ledger.unregister(claimer.claimer)
    for closed in closed {
      finish(
        closed, with: .failure(ServiceError(.cancelled, "Whoever was asked disconnected without an answer.")))
    }
    tell(told)
  }

  // MARK: Answers

  /// Throws `notFound` for an unknown id, `conflict` for an answered one.
  public func reply(
    to id: CallbackID, controllerID: ControllerID, reply: ScriptMessageReply
  ) throws(ServiceError) {
    switch ledger.lookUp(id, controllerID: controllerID) {
    case .unknown:
      throw ServiceError(.notFound, "There is no callback \(id).", details: ["kind": "callback"])
    case .closed(let closing):
      throw ServiceError(
        .conflict, "The callback \(id) is no longer open: \(closing.rawValue).",
        details: ["reason": .string(closing.rawValue)])
    case .open:
      if let closed = ledger.close(id, .answered) { finish(closed, with: reply) }
    }
  }

  /// Open questions of a controller, those with a number above `since`; waits up to `poll` seconds for one.
  public func callbacks(
    controllerID: ControllerID, kinds: Set<CallbackKind>?, since: Int?, poll: Double
  ) async throws -> Page {
    let first = page(controllerID, kinds, since)
    guard first.callbacks.isEmpty, poll > 0 else { return first }
    pollCount += 1
    let key = pollCount
    let signal = OneShot()
    polls[key] = (controllerID, signal)
    let timer = timers.after(.seconds(poll)) { signal.fire() }
    await signal.wait()
    timers.cancel(timer)
    polls[key] = nil
    try Task.checkCancellation()
    return page(controllerID, kinds, since)
  }

  /// There is a question, or there will be none any more.
  func endPolls(of controllerID: ControllerID) {
    for poll in polls.values where poll.controllerID == controllerID { poll.signal.fire() }
  }

  /// The server stops: nobody waits any longer.
  public func endPolls() {
    for poll in polls.values { poll.signal.fire() }
  }

  private func page(_ controllerID: ControllerID, _ kinds: Set<CallbackKind>?, _ since: Int?) -> Page {
    Page(
      callbacks: ledger.callbacks(of: controllerID, kinds: kinds, since: since, now: now), next: ledger.number
    )
  }

  // MARK: Questions

  /// `answer` is called exactly once, later than this call, at the latest when the question's time is over.
  /// Throws `unavailable` when too many are open.
  func ask(
    _ kind: CallbackKind, controllerID: ControllerID, navigationID: NavigationID?, payload: JSONObject,
    answer: @escaping Answer
  ) throws(ServiceError) -> CallbackID {
    let id = CallbackID(text: RandomID.make())
    let opening = ledger.open(
      id, kind, controllerID: controllerID, navigationID: navigationID, payload: payload,
      timeout: limits.callbackTimeout, now: now)
    guard case .open(_, let told) = opening else {
      throw ServiceError(
        .unavailable,
        "\(limits.pendingCallbacks) questions of this page, or \(limits.pendingCallbackBytes) bytes of them, are "
          + "open; answer some first.")
    }
    let timer = timers.after(.seconds(limits.callbackTimeout)) { [weak self] in self?.expire(id) }
    questions[id] = Question(timer: timer, answer: answer)
    publish(.callbackOpened, id, kind, controllerID, navigationID: navigationID)
    tell(told)
    endPolls(of: controllerID)
    return id
  }

  /// Their cause is gone.
  func cancel(_ ids: some Sequence<CallbackID>, reason: String) {
    for id in ids {
      guard let closed = ledger.close(id, .cancelled) else { continue }
      finish(closed, with: .failure(ServiceError(.cancelled, reason)))
    }
  }

  private func expire(_ id: CallbackID) {
    guard let closed = ledger.close(id, .timeout) else { return }
    let error = ServiceError(.timeout, "Nobody answered within \(Int(limits.callbackTimeout)) seconds.")
    finish(closed, with: .failure(error))
  }

  private func finish(_ closed: CallbackLedger.Closed, with reply: ScriptMessageReply) {
    if let question = questions.removeValue(forKey: closed.id) {
      timers.cancel(question.timer)
      question.answer(closed.id, reply)
    }
    publish(.callbackClosed, closed.id, closed.kind, closed.controllerID, closing: closed.closing)
    tell(closed.told)
  }

  private func publish(
    _ type: EventType, _ id: CallbackID, _ kind: CallbackKind, _ controllerID: ControllerID,
    navigationID: NavigationID? = nil, closing: CallbackClosing? = nil
  ) {
    var details: JSONObject = ["callbackId": .string(id.text)]
    if let closing {
      details.append("reason", .string(closing.rawValue))
    } else {
      details.append("kind", .string(kind.rawValue))
    }
    events?.publish(ControllerEvent(type, navigationID: navigationID, details: details), of: controllerID)
  }

  private func tell(_ notices: [CallbackLedger.Notice]) {
    for notice in notices { sinks[notice.claimer]?(notice.notice) }
  }

  private var now: Double { ContinuousClock.now.duration(to: start) / .seconds(-1) }
}
