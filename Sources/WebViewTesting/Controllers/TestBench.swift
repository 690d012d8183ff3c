import Foundation
import WebViewCore

/// The core's services around a fake engine and a clock that stands.
@PageActor
public final class TestBench {
  public let engine = FakeEngine()
  public let clock = ManualClock()
  public let stores = InMemoryProfileStore()
  public let events: EventService
  public let callbacks: CallbackBroker
  public let controllers: ControllerService
  public let limits: Limits

  public init(
    limits: Limits = Limits(), files: FilesDirectory? = nil, background: BackgroundWork = .threads
  ) {
    self.limits = limits
    events = EventService(limits: limits, clock: clock)
    callbacks = CallbackBroker(limits: limits, clock: clock)
    controllers = ControllerService(
      engine: engine, stores: stores, events: events, callbacks: callbacks, limits: limits, node: nil,
      files: files, clock: clock, background: background)
  }

  /// What the API layer works with.
  public func services() -> ServerServices {
    let readiness = Readiness()
    readiness.become(.ready)
    return ServerServices(
      controllers: controllers, events: events, callbacks: callbacks,
      tickets: TicketOffice { [clock] in clock.date },
      server: ServerInformation(
        version: "0.0.0", node: nil, startedAt: Date(), isTokenRequired: false, engine: engine.information),
      readiness: readiness, limits: limits)
  }

  public func makeController(
    _ options: ControllerOptions = ControllerOptions()
  ) async throws -> (controller: WebViewController, page: FakePage) {
    let controller = try await controllers.create(options, deadline: Deadline(seconds: 60))
    guard let page = engine.pages.last else { throw ServiceError(.internalError, "No page was made.") }
    return (controller, page)
  }

  /// Every event so far, of all types.
  public var told: [ControllerEvent] {
    events.entries(EventService.Query(types: Set(EventType.allCases)), since: nil, run: nil, limit: .max)
      .entries.map(\.event)
  }
  public var toldTypes: [EventType] { told.map(\.type) }
}

extension EnginePageEvent {
  /// A plain load of a page, as the engine tells it.
  public static func simpleLoad(_ url: String, status: Int = 200) -> [EnginePageEvent] {
    [
      .willNavigate(url: url, isRedirect: false), .started(url: url),
      .responded(
        MainResourceResponse(url: url, status: status, headers: [], mimeType: "text/html", encoding: "UTF-8")),
      .committed(url: url), .domContentLoaded, .finished(url: url),
    ]
  }
}
