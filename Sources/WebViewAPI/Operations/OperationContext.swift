import HTTPModel
import WebViewCore

/// What a handler gets beside its input.
public struct OperationContext: Sendable {
  public let services: ServerServices
  public let documents: APIDocuments
  public let requestID: String
  public internal(set) var deadline: Deadline
  /// Set by channels: told of a navigation that nobody waits for, before its first event.
  let started: (@PageActor @Sendable (Navigation) -> Void)?

  public init(
    services: ServerServices, documents: APIDocuments, requestID: String,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) {
    self.services = services
    self.documents = documents
    self.requestID = requestID
    self.started = started
    deadline = Deadline(seconds: services.limits.defaultTimeout)
  }
}

/// The published contract, as bytes to be served.
public struct APIDocuments: Sendable {
  public var openAPI: [UInt8]
  public var asyncAPI: [UInt8]
  public init(openAPI: [UInt8], asyncAPI: [UInt8]) {
    self.openAPI = openAPI
    self.asyncAPI = asyncAPI
  }
}
