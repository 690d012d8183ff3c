import HTTPModel
import SoupTransport
import WebViewAPI

extension Log {
  /// One line for a request that is over. Query values are left out: they may be tickets or text of pages.
  func access(_ request: FinishedRequest) {
    guard isEnabled(.info) else { return }
    var fields: [(name: String, value: LogLine.Value)] = [
      ("method", .text(request.head.method.name)),
      ("path", .text(request.head.path)),
      ("status", .integer(request.status)),
      ("bytes", .integer(request.bytes)),
      ("ms", .milliseconds(request.duration / .milliseconds(1))),
    ]
    if let id = request.responseHeaders["X-Request-Id"] { fields.insert(("request", .text(id)), at: 0) }
    write(.info, "request", fields: fields)
  }

  /// One line for a call on a channel, which is no request of its own.
  func call(_ call: APILog.Call) {
    write(
      .info, "call", ("request", .text(call.requestID)), ("operation", .text(call.operationID)),
      ("controller", .text(call.controllerID?.text ?? "")), ("status", .integer(call.status)),
      ("ms", .milliseconds(call.duration / .milliseconds(1))))
  }
}
