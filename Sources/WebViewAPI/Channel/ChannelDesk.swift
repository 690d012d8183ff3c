import WebViewCore

/// What one channel holds on the page actor: its controller's use, its subscription, its claims.
@PageActor
final class ChannelDesk {
  private let services: ServerServices
  private let controllerID: ControllerID?
  private let outbox: ChannelOutbox
  private var controller: WebViewController?
  private var ending: EventService.SubscriptionID?
  private var subscription: EventService.SubscriptionID?
  private var claimer: CallbackBroker.ClaimerID?
  private var isOpen = false

  nonisolated init(services: ServerServices, controllerID: ControllerID?, outbox: ChannelOutbox) {
    self.services = services
    self.controllerID = controllerID
    self.outbox = outbox
  }

  /// - Parameter disposed: called after the controller's `disposed` event went out.
  func open(disposed: @escaping @Sendable () -> Void) throws(ServiceError) {
    if let controllerID {
      let controller = try services.controllers.controller(controllerID)
      controller.beginUse()
      self.controller = controller
      let outbox = outbox
      // Told whether or not it was subscribed to: the channel ends with it.
      ending = services.events.subscribe(.init(controllerID: controllerID, types: [.disposed])) { entry in
        outbox.send(entry)
        disposed()
      }
    }
    isOpen = true
  }

  func close() {
    isOpen = false
    for id in [ending, subscription] { if let id { services.events.unsubscribe(id) } }
    ending = nil
    subscription = nil
    if let claimer { services.callbacks.unregister(claimer) }
    claimer = nil
    controller?.endUse()
    controller = nil
  }

  // MARK: Events

  func subscribe(_ input: inout OperationInput) throws(ServiceError) -> JSONObject {
    var types = try input.eventTypes("events") ?? EventType.standard
    let since = try input.integer("since", in: 0...Int.max)
    let run = try input.string("run")
    let of = try scope(&input)
    try input.finish()
    guard isOpen else { return [:] }
    let state = try of.map { id throws(ServiceError) in try services.controllers.controller(id).state }
    if let subscription { services.events.unsubscribe(subscription) }
    subscription = nil
    // A controller's channel is told of its end anyway, once.
    if controllerID != nil { types.remove(.disposed) }
    if !types.isEmpty {
      let query = EventService.Query(controllerID: of, types: types)
      if let since { replay(query, since: since, run: run) }
      let outbox = outbox
      subscription = services.events.subscribe(query) { entry in outbox.send(entry) }
    }
    return [
      "sequence": JSONValue(services.events.sequence),
      "state": state.map { .object(ControllerJSON.state($0)) } ?? .null,
    ]
  }

  private func scope(_ input: inout OperationInput) throws(ServiceError) -> ControllerID? {
    if controllerID != nil { return try input.controllerID() }
    return try input.string("controllerId").map { ControllerID(text: $0) }
  }

  private func replay(_ query: EventService.Query, since: Int, run: String?) {
    let page = services.events.entries(query, since: since, run: run, limit: .max)
    if let gap = page.gap {
      outbox.send(JSONObject(members: [.init(name: "type", value: "gap")] + EventJSON.gap(gap).members))
    }
    for entry in page.entries { outbox.send(entry) }
  }

  // MARK: Callbacks

  func claim(_ input: inout OperationInput) throws(ServiceError) -> JSONObject {
    let words = try input.strings("kinds", among: CallbackKind.allCases.map(\.rawValue))
    guard let words else { throw input.missing("kinds", expected: "an array of kinds of callbacks") }
    try input.finish()
    guard isOpen else { return [:] }
    let kinds = Set(words.compactMap { CallbackKind(rawValue: $0) })
    let outbox = outbox
    let claimer =
      claimer
      ?? services.callbacks.register(controllerID: controllerID) { notice in
        outbox.send(Self.message(notice), mayBeLarge: true)
      }
    self.claimer = claimer
    services.callbacks.claim(kinds, by: claimer)
    return ["kinds": Self.list(kinds)]
  }

  private nonisolated static func message(_ notice: ClaimNotice) -> JSONObject {
    switch notice {
    case .claims(let kinds): ["type": "claims", "kinds": list(kinds)]
    case .opened(let callback):
      JSONObject(
        members: [.init(name: "type", value: "callback")] + CallbackJSON.callback(callback).members)
    case .closed(let id, let controllerID, let reason):
      [
        "type": "callbackClosed", "callbackId": .string(id.text), "controllerId": .string(controllerID.text),
        "reason": .string(reason.rawValue),
      ]
    }
  }

  private nonisolated static func list(_ kinds: Set<CallbackKind>) -> JSONValue {
    .array(kinds.map(\.rawValue).sorted().map { .string($0) })
  }
}
