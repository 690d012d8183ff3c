import WebViewCore

/// Where the API tells what its transport cannot know; the program decides how it is written.
public struct APILog: Sendable {
  public var call: @Sendable (Call) -> Void
  public var fault: @Sendable (Fault) -> Void
  public init(
    call: @escaping @Sendable (Call) -> Void = { _ in }, fault: @escaping @Sendable (Fault) -> Void = { _ in }
  ) {
    self.call = call
    self.fault = fault
  }

  /// A fault of the server under the id that its caller got.
  public struct Fault: Sendable {
    public var requestID: String
    public var operationID: String
    public var description: String
  }

  /// One answered call on a channel. Parameters stay out: they may hold secrets.
  public struct Call: Sendable {
    /// The channel's own, a dot, and the number of the call.
    public var requestID: String
    /// nil: the server's channel.
    public var controllerID: ControllerID?
    public var operationID: String
    /// As over HTTP.
    public var status: Int
    public var duration: Duration
  }
}
