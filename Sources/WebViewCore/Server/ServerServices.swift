import Foundation

/// Everything the API layer talks to.
public struct ServerServices: Sendable {
  public var controllers: ControllerService
  public var events: EventService
  public var callbacks: CallbackBroker
  public var tickets: TicketOffice
  public var server: ServerInformation
  public var readiness: Readiness
  public var limits: Limits

  public init(
    controllers: ControllerService, events: EventService, callbacks: CallbackBroker, tickets: TicketOffice,
    server: ServerInformation, readiness: Readiness, limits: Limits
  ) {
    self.controllers = controllers
    self.events = events
    self.callbacks = callbacks
    self.tickets = tickets
    self.server = server
    self.readiness = readiness
    self.limits = limits
  }
}

/// What does not change while the server runs.
public struct ServerInformation: Sendable {
  public var version: String
  public var node: String?
  public var startedAt: Date
  public var isTokenRequired: Bool
  public var engine: EngineInformation
  public init(
    version: String, node: String?, startedAt: Date, isTokenRequired: Bool, engine: EngineInformation
  ) {
    self.version = version
    self.node = node
    self.startedAt = startedAt
    self.isTokenRequired = isTokenRequired
    self.engine = engine
  }
}
