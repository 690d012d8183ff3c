import Foundation

/// By what a document's server proved who it is.
public struct ServerTrust: Sendable, Equatable {
  /// What is wrong with the chain.
  public enum Fault: String, CaseIterable, Sendable {
    case unknownIssuer, wrongHost, notYetValid, expired, revoked, insecureAlgorithm, notAcceptable
  }
  /// PEM; the server's own first, each followed by its issuer's.
  public var certificates: [String]
  /// Of the server's own.
  public var subject: String?
  public var issuer: String?
  public var notBefore: Date?
  public var notAfter: Date?
  public var faults: [Fault]

  public init(
    certificates: [String], subject: String?, issuer: String?, notBefore: Date?, notAfter: Date?,
    faults: [Fault]
  ) {
    self.certificates = certificates
    self.subject = subject
    self.issuer = issuer
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.faults = faults
  }
}

extension WebViewController {
  /// nil when the document did not come over TLS, or when there is none.
  public func serverTrust() throws(ServiceError) -> ServerTrust? {
    try requireLife()
    return hasDocument ? documentContent?.serverTrust ?? page.serverTrust : nil
  }

  var hasOnlySecureContent: Bool {
    page.hasOnlySecureContent
      || hasDocument && documentContent?.serverTrust != nil && !page.hasInsecureContent
  }
}

extension LoadContent {
  /// Of the server that it was fetched from.
  fileprivate var serverTrust: ServerTrust? {
    if case .simulated(_, let response) = self { response.serverTrust } else { nil }
  }
}
