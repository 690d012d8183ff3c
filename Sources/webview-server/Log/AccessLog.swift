import HTTPModel
import SoupTransport

extension Log {
  /// One line for a request that is over. Query values are left out: they may be tickets or text of pages.
  func access(_ request: FinishedRequest) {
    guard isEnabled(.info) else { return }
    let (seconds, attoseconds) = request.duration.components
    var fields: [(name: String, value: LogLine.Value)] = [
      ("method", .text(request.head.method.name)),
      ("path", .text(request.head.path)),
      ("status", .integer(request.status)),
      ("bytes", .integer(request.bytes)),
      ("ms", .milliseconds(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)),
    ]
    if let id = request.responseHeaders["X-Request-Id"] { fields.insert(("request", .text(id)), at: 0) }
    write(.info, "request", fields: fields)
  }
}
