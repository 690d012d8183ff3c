import Foundation
import WebViewAPI
import WebViewCore

/// A server whose engine makes no pages: enough for decoding, and for operations that need none.
enum TestServices {
  static let documents = APIDocuments(
    openAPI: JSONWriter.write(Contract.openAPI.document),
    asyncAPI: JSONWriter.write(Contract.asyncAPI.document))

  static func handler() async -> APIHandler {
    APIHandler(
      services: await services(),
      access: AccessPolicy(token: nil, allowedHosts: [], allowedOrigins: []), documents: documents)
  }

  static func context() async -> OperationContext {
    OperationContext(services: await services(), documents: documents, requestID: "test")
  }

  @PageActor
  static func services() -> ServerServices {
    let limits = Limits()
    let engine = IdleEngine()
    let events = EventService(limits: limits)
    let callbacks = CallbackBroker(limits: limits)
    let readiness = Readiness()
    readiness.become(.ready)
    return ServerServices(
      controllers: ControllerService(
        engine: engine, stores: NoProfiles(), events: events, callbacks: callbacks, limits: limits, node: nil),
      events: events, callbacks: callbacks, tickets: TicketOffice(),
      server: ServerInformation(
        version: "1.0.0", node: nil, startedAt: Date(), isTokenRequired: false, engine: engine.information),
      readiness: readiness, limits: limits)
  }
}

private struct NoProfiles: ProfileStoring {
  func directory(ofProfile name: String) async throws -> String {
    throw ServiceError(.unsupported, "There are no profiles here.")
  }
}

@PageActor
private final class IdleEngine: WebEngine {
  let information = EngineInformation(
    name: "WebKitGTK", version: "2.50.6", userAgent: "Mozilla/5.0", sandbox: .on, sandboxReason: nil,
    display: ":99")
  let defaultSettings = WebViewSettings()

  func makeEphemeralStore() throws -> any EngineStore { throw ServiceError(.unsupported, "Idle.") }
  func makePersistentStore(directory: String) throws -> any EngineStore {
    throw ServiceError(.unsupported, "Idle.")
  }
  func makePage(in store: any EngineStore, viewport: Viewport) throws -> any EnginePage {
    throw ServiceError(.unsupported, "Idle.")
  }
  func parseURL(_ text: String) -> ParsedURL? { nil }
  func shutDown() async {}
}
