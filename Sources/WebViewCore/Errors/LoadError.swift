/// Why a navigation did not finish: part of a result, not an error of the operation.
public struct LoadError: Error, Sendable, Equatable {
  public enum Code: String, CaseIterable, Sendable {
    case cannotFindHost, cannotConnect, connectionLost, timedOut, tlsError, unsupportedURL
    case blockedByPolicy, blockedByContentRule, cannotShowMIMEType, tooManyRedirects, unsupported
    case fileNotFound, other
    /// Stopped, replaced, or withdrawn.
    case cancelled
    case webContentProcessTerminated
    case disposed
  }
  public var code: Code
  public var message: String
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
