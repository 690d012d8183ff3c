/// Takes each question to whoever claims it, and each answer back; see `CallbackLedger` for the rules.
@PageActor
public final class CallbackBroker {
  public struct ClaimerID: Sendable, Hashable { let number: Int }
  public struct Page: Sendable, Equatable {
    public var callbacks: [Callback]
    public var next: Int
    public init(callbacks: [Callback], next: Int) {
      self.callbacks = callbacks
      self.next = next
    }
  }

  public init(limits: Limits) {}

  /// A channel that may claim. nil controller: the server's channel, which a controller's channel beats.
  public func register(
    controllerID: ControllerID?, sink: @escaping @Sendable (ClaimNotice) -> Void
  ) -> ClaimerID { ClaimerID(number: 0) }
  /// Replaces what this claimer claims.
  public func claim(_ kinds: Set<CallbackKind>, by claimer: ClaimerID) {}
  /// The channel is gone: its open questions fall back at once.
  public func unregister(_ claimer: ClaimerID) {}

  /// Throws `notFound` for an unknown id, `conflict` for an answered one, `invalidArgument` for a reply that
  /// does not decode, in which case the question stays open.
  /// - Parameter reply: the body: `kind` and its members, or `kind` and `error`.
  public func reply(to id: CallbackID, controllerID: ControllerID, reply: JSONObject) throws(ServiceError) {}

  /// Open questions of a controller, those with a number above `since`; waits up to `poll` seconds for one.
  public func callbacks(
    controllerID: ControllerID, kinds: Set<CallbackKind>?, since: Int?, poll: Double
  ) async throws -> Page { Page(callbacks: [], next: 0) }
}
