/// The only error that crosses a target's border.
public struct ServiceError: Error, Sendable, Equatable {
  public var code: ErrorCode
  /// A sentence that says what is wrong and what would be right.
  public var message: String
  public var details: JSONObject

  public init(_ code: ErrorCode, _ message: String, details: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.details = details
  }
}

extension ServiceError {
  /// A value of the input that is not what it must be; `pointer` says where it stands.
  static func invalid(_ pointer: String, _ message: String) -> ServiceError {
    ServiceError(.invalidArgument, message, details: ["pointer": .string(pointer)])
  }

  /// "The script has 9 bytes, 8 are the limit."
  public static func tooLarge(
    _ what: String, size: Int, limit: Int, at pointer: String? = nil
  ) -> ServiceError {
    var error = ServiceError(
      .payloadTooLarge, "\(what) has \(size) bytes, \(limit) are the limit.",
      details: ["limit": JSONValue(limit), "size": JSONValue(size)])
    if let pointer { error.details["pointer"] = .string(pointer) }
    return error
  }
}

/// Why an operation did not succeed. One exhaustive switch in `WebViewAPI` maps each to its HTTP status.
public enum ErrorCode: String, CaseIterable, Sendable {
  /// Malformed or unknown input; a value not in the capabilities.
  case invalidArgument
  /// No token, or a wrong one.
  case unauthorized
  /// Host, Origin or Sec-Fetch-Site refused; a file outside the files directory; an id outside a channel's reach.
  case forbidden
  /// `details.kind` says what is missing: route, controller, callback…
  case notFound
  /// The path exists, the method does not.
  case methodNotAllowed
  /// Already controlled, already answered, in use.
  case conflict
  /// The operation was withdrawn: document replaced, handler removed.
  case cancelled
  /// The controller was disposed.
  case disposed
  /// A request, or a result, above its limit.
  case payloadTooLarge
  /// A body of a type that the operation does not take.
  case unsupportedMediaType
  /// The page's code did not parse, threw or rejected.
  case javaScriptError
  /// A value that the result mode cannot carry; `details.path` names it.
  case serializationError
  /// Switched off by configuration, or not offered by the engine.
  case unsupported
  /// No room in the queue, or not within `queueTimeout`.
  case queueFull
  /// The page's process ended; `details.reason` says why.
  case webContentProcessTerminated
  /// A raw render of a page that did not load.
  case loadFailed
  /// Starting, draining or out of resources.
  case unavailable
  /// The operation's deadline passed.
  case timeout
  /// A fault of the server; the text is in the log under the request id.
  case internalError
}
