import Foundation

/// All controllers: made, found, listed, disposed.
@PageActor
public final class ControllerService {
  public init(
    engine: any WebEngine, stores: any ProfileStoring, events: EventService, callbacks: CallbackBroker,
    limits: Limits, node: String?
  ) {}

  /// A controller that is ready for use. If the task is cancelled meanwhile the controller is disposed.
  public func create(_ options: ControllerOptions, deadline: Deadline) async throws -> WebViewController {
    throw ServiceError(.unsupported, "not there yet")
  }
  /// Oldest first.
  public func list(label: String?) -> [WebViewController] { [] }
  /// Throws `notFound` or `disposed`.
  public func controller(_ id: ControllerID) throws(ServiceError) -> WebViewController {
    throw ServiceError(.notFound, "There is no controller \(id).", details: ["kind": "controller"])
  }
  /// At once and without beforeunload. Succeeds again for a disposed one; unknown ids are `notFound`.
  public func dispose(_ id: ControllerID) throws(ServiceError) {}
  /// Disposes all and refuses new ones.
  public func shutDown() async {}
}
