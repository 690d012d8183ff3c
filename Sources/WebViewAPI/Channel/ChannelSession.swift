import HTTPModel
import Synchronization
import WebViewCore

/// One WebSocket: operations by operationId, events, claims.
///
/// Whatever is sent leaves from the page actor, where events happen too: so messages about a controller come in
/// the order things happened, and what happened before an operation settled precedes its response.
final class ChannelSession: WebSocketSession {
  static let maximumOpenRequests = 64
  static let heartbeat = 20

  let handler: APIHandler
  /// What the channel reaches; nil: everything.
  let controllerID: ControllerID?
  let outbox = ChannelOutbox()
  let requests = OpenRequests()
  private let inbox = ChannelInbox()
  private let requestID: String
  private let clock: any Clock<Duration>
  private let desk: ChannelDesk
  private let heartbeats = Mutex<Task<Void, Never>?>(nil)
  private let messageNumber = Atomic<Int>(0)
  /// Set once the controller is disposed: the channel ends when nothing is open any more.
  private let isEnding = Atomic<Bool>(false)

  init(handler: APIHandler, controllerID: ControllerID?, requestID: String, clock: any Clock<Duration>) {
    self.handler = handler
    self.controllerID = controllerID
    self.requestID = requestID
    self.clock = clock
    desk = ChannelDesk(services: handler.services, controllerID: controllerID, outbox: outbox)
  }

  // MARK: The transport's calls

  func opened(_ connection: any WebSocketConnection) {
    outbox.open(connection)
    handler.channels.add(self)
    onPage { session in session.begin() }
    let clock = clock
    heartbeats.withLock {
      $0 = Task { [weak self] in
        var seen = 0
        while !Task.isCancelled {
          guard (try? await clock.sleep(for: .seconds(Self.heartbeat))) != nil, let self else { return }
          if self.outbox.messageCount == seen { await self.beat() }
          seen = self.outbox.messageCount
        }
      }
    }
  }

  func received(_ message: WebSocketMessage) {
    guard case .text(let text) = message else {
      refuse(nil, ServiceError(.invalidArgument, "Messages are JSON in text frames, not binary ones."))
      return
    }
    let isTaken = inbox.take(text) { [self] decoded in
      switch decoded {
      case .success(let message):
        do throws(ServiceError) { try start(message) } catch { refuse(message.id, error) }
      case .failure(let problem): refuse(problem.id, problem.error)
      }
    }
    if !isTaken { outbox.close(code: 1013, reason: "messages come faster than they can be read") }
  }

  func receivedTooLarge(limit: Int) {
    let error = ServiceError(
      .payloadTooLarge, "The message is larger than the limit of \(limit) bytes.",
      details: ["limit": JSONValue(limit)])
    // Not by way of the page actor: the transport closes as soon as this returns.
    outbox.send(["type": "error", "error": .object(ErrorJSON.error(error, requestID: nil))])
  }

  func closed(code: Int) {
    heartbeats.withLock { $0?.cancel() }
    requests.cancelAll()
    outbox.end()
    handler.channels.remove(self)
    onPage { session in session.desk.close() }
  }

  // MARK: On the page actor

  private func onPage(_ body: @escaping @PageActor @Sendable (ChannelSession) -> Void) {
    Task { @PageActor in body(self) }
  }

  @PageActor
  private func begin() {
    do throws(ServiceError) {
      try desk.open { [weak self] in self?.end() }
    } catch {
      outbox.send(["type": "error", "error": .object(ErrorJSON.error(error, requestID: requestID))])
      // 1000 for one that was there, 1008 for one that this channel has no business with.
      outbox.close(code: error.code == .disposed ? 1000 : 1008, reason: error.code.rawValue)
      return
    }
    var hello: JSONObject = [
      "type": "hello", "run": .string(handler.services.events.run),
      "sequence": JSONValue(handler.services.events.sequence),
    ]
    if let controllerID { hello["controllerId"] = .string(controllerID.text) }
    hello["heartbeat"] = JSONValue(Self.heartbeat)
    hello["maxMessageBytes"] = JSONValue(handler.services.limits.channelMessage)
    hello["maxOpenRequests"] = JSONValue(Self.maximumOpenRequests)
    outbox.send(hello)
  }

  @PageActor
  private func beat() {
    outbox.send(["type": "heartbeat", "sequence": JSONValue(handler.services.events.sequence)])
  }

  /// The controller is disposed: what is open on it is about to be answered.
  private func end() {
    isEnding.store(true, ordering: .releasing)
    closeWhenDone()
  }

  private func closeWhenDone() {
    guard isEnding.load(ordering: .acquiring), requests.count == 0 else { return }
    outbox.close(code: 1000, reason: "disposed")
  }

  // MARK: Requests

  private func start(_ message: ChannelMessage) throws(ServiceError) {
    if let own = ChannelMethod(rawValue: message.method) {
      return try startOwn(own, message)
    }
    guard let operation = OperationTable.byID[message.method], operation.kind != .upgrade else {
      let near = NearMatch.best(for: message.method, among: Array(OperationTable.byID.keys))
      throw ServiceError(
        .invalidArgument,
        "`\(message.method.prefix(80))` is no method." + (near.map { " Did you mean `\($0)`?" } ?? ""),
        details: ["pointer": "/method"])
    }
    if operation.isServerWide, let controllerID {
      throw ServiceError(
        .forbidden, "`\(operation.id)` concerns the whole server: this channel reaches only \(controllerID).",
        details: ["kind": "operation"])
    }
    let ticket = try requests.open(id: message.id, limit: Self.maximumOpenRequests)
    let started = ContinuousClock.now
    let number = messageNumber.add(1, ordering: .relaxed).newValue
    let id = "\(requestID).\(number)"
    let context = OperationContext(
      services: handler.services, documents: handler.documents, requestID: id,
      started: { [self] navigation in
        let result = NavigationJSON.result(LoadResult(accepted: true, navigation: navigation))
        answer(ticket, message.id, .success(.object(result)))
      })
    // Isolated from the start, so that requests begin in the order in which they came.
    let body: @PageActor @Sendable () async -> Void = {
      await self.serve(operation, message, ticket, context, since: started)
    }
    let task = Task(executorPreference: PageActor.taskExecutor, operation: body)
    requests.attach(task, to: ticket)
  }

  @PageActor
  private func serve(
    _ operation: Operation, _ message: ChannelMessage, _ ticket: OpenRequests.Ticket,
    _ context: OperationContext,
    since started: ContinuousClock.Instant
  ) async {
    let outcome = await run(operation, message, context)
    let status = finish(
      outcome, ticket: ticket, message: message, requestID: context.requestID, operation: operation)
    handler.log.call(
      APILog.Call(
        requestID: context.requestID, controllerID: controllerID, operationID: operation.id, status: status,
        duration: ContinuousClock.now - started))
  }

  /// One hop in all: decoding small inputs and encoding small results costs less than leaving the actor.
  @PageActor
  private func run(_ operation: Operation, _ message: ChannelMessage, _ context: OperationContext) async
    -> Result<(status: Int, value: JSONValue), any Error>
  {
    do {
      if !operation.isAlwaysOffered { try context.requireReady() }
      let reach = controllerID
      let prepared = try await OffLoop.run(size: message.size) {
        var input = try OperationInput(body: message.params, reach: reach)
        return try operation.prepare(&input, context)
      }
      let limit = handler.services.limits.result
      switch prepared {
      case .done(let result): return .success((result.status, try ChannelResult.value(result, limit: limit)))
      case .page(let body):
        let pending = try await body()
        return .success(
          try await OffLoop.run(size: pending.roughSize) {
            let result = try pending.encode()
            return (result.status, try ChannelResult.value(result, limit: limit))
          })
      }
    } catch { return .failure(error) }
  }

  private func finish(
    _ outcome: Result<(status: Int, value: JSONValue), any Error>, ticket: OpenRequests.Ticket,
    message: ChannelMessage, requestID: String, operation: Operation
  ) -> Int {
    switch outcome {
    case .success(let result):
      answer(ticket, message.id, .success(result.value))
      return result.status
    case .failure(let error):
      let error = handler.publish(error, requestID, operation.id)
      answer(ticket, message.id, .failure(error), requestID: requestID)
      return error.code.httpStatus
    }
  }

  /// Answers once; later outcomes of the same request are dropped.
  func answer(
    _ ticket: OpenRequests.Ticket, _ id: JSONValue?, _ outcome: Result<JSONValue, ServiceError>,
    requestID: String? = nil
  ) {
    guard requests.settle(ticket) else { return }
    send(id, outcome, requestID: requestID)
    closeWhenDone()
  }

  private func send(_ id: JSONValue?, _ outcome: Result<JSONValue, ServiceError>, requestID: String? = nil) {
    switch outcome {
    case .success(let value):
      guard let id else { return }
      outbox.send(["type": "response", "id": id, "result": value], mayBeLarge: true)
    case .failure(let error):
      outbox.send([
        "type": "response", "id": id ?? .null, "error": .object(ErrorJSON.error(error, requestID: requestID)),
      ])
    }
  }

  private func refuse(_ id: JSONValue?, _ error: ServiceError) {
    onPage { session in session.send(id, .failure(error)) }
  }

  private func startOwn(_ method: ChannelMethod, _ message: ChannelMessage) throws(ServiceError) {
    // They end within a turn, and `cancel` must work when nothing else does.
    let ticket = try requests.open(id: message.id, limit: .max)
    onPage { session in
      do throws(ServiceError) {
        let value = try session.perform(method, message.params)
        session.answer(ticket, message.id, .success(.object(value)))
      } catch { session.answer(ticket, message.id, .failure(error)) }
    }
  }

  @PageActor
  private func perform(_ method: ChannelMethod, _ params: JSONObject) throws(ServiceError) -> JSONObject {
    var input = try OperationInput(body: params, reach: controllerID)
    switch method {
    case .subscribe: return try desk.subscribe(&input)
    case .claim: return try desk.claim(&input)
    case .cancel: return try cancel(&input)
    case .attach, .detach, .acknowledge:
      throw ServiceError(
        .unsupported, "Watching and controlling a page over the channel is not offered.",
        details: ["capability": "attach"])
    }
  }

  @PageActor
  private func cancel(_ input: inout OperationInput) throws(ServiceError) -> JSONObject {
    input.note("id")
    let id = input.body["id"]
    try input.finish()
    switch id {
    case .number?, .string?: break
    default: throw input.missing("id", expected: "the id of the request that is withdrawn")
    }
    guard let id, let ticket = requests.ticket(of: id), requests.cancel(ticket) else {
      return ["cancelled": false]
    }
    send(id, .failure(ServiceError(.cancelled, "The request was withdrawn by its caller.")))
    return ["cancelled": true]
  }
}
