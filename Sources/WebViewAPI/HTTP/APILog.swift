/// Where the API tells what it did; the program decides how it is written.
public struct APILog: Sendable {
  public var access: @Sendable (AccessLogEntry) -> Void
  public var fault: @Sendable (Fault) -> Void
  public init(
    access: @escaping @Sendable (AccessLogEntry) -> Void = { _ in },
    fault: @escaping @Sendable (Fault) -> Void = { _ in }
  ) {
    self.access = access
    self.fault = fault
  }

  /// A fault of the server under the id that its caller got.
  public struct Fault: Sendable {
    public var requestID: String
    public var operationID: String
    public var description: String
  }
}

/// One answered request. Queries, bodies and header values stay out: they may hold secrets.
public struct AccessLogEntry: Sendable {
  public var requestID: String
  public var method: String
  public var path: String
  /// nil where nothing was routed; `method` of the channel's messages too.
  public var operationID: String?
  public var status: Int
  public var seconds: Double
}
