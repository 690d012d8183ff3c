import WebViewAPI

extension Log {
  /// A fault of the server, whose caller got a generic text and this id.
  func fault(_ fault: APILog.Fault) {
    write(
      .error, "fault", ("request", .text(fault.requestID)), ("operation", .text(fault.operationID)),
      ("description", .text(fault.description)))
  }
}
