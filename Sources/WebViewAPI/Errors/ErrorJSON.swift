import WebViewCore

enum ErrorJSON {
  static func error(_ error: ServiceError, requestID: String?) -> JSONObject {
    var object: JSONObject = [
      "code": .string(error.code.rawValue), "message": .string(error.message),
      "details": .object(error.details),
    ]
    if let requestID { object["requestId"] = .string(requestID) }
    return object
  }
}

extension ServiceError {
  /// What clients are told of any error. Faults of ours become generic; the caller logs `fault`.
  static func publicForm(of error: any Error) -> (error: ServiceError, fault: String?) {
    switch error {
    case let error as ServiceError where error.code != .internalError: (error, nil)
    case is CancellationError:
      (ServiceError(.cancelled, "The operation was withdrawn before it was done."), nil)
    default:
      (
        ServiceError(
          .internalError, "The server failed in an unexpected way; its log has details under the request id."),
        String(reflecting: error)
      )
    }
  }
}
