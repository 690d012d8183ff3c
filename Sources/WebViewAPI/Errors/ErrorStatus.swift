import WebViewCore

extension ErrorCode {
  /// The one place where codes become HTTP.
  public var httpStatus: Int {
    switch self {
    case .invalidArgument: 400
    case .unauthorized: 401
    case .forbidden: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .conflict, .cancelled: 409
    case .disposed: 410
    case .payloadTooLarge: 413
    case .unsupportedMediaType: 415
    case .javaScriptError, .serializationError, .unsupported: 422
    case .queueFull: 429
    case .internalError: 500
    case .webContentProcessTerminated, .loadFailed: 502
    case .unavailable: 503
    case .timeout: 504
    }
  }
}
