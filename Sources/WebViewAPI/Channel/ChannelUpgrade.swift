import HTTPModel
import WebViewCore

/// What a request must be to become a channel.
enum ChannelUpgrade {
  static let subprotocol = "webview-server.v1"

  /// The only thing that the query of an upgrade may hold.
  static func ticket(_ head: HTTPRequestHead) throws(ServiceError) -> String? {
    let query = try QueryString(parsing: head.query)
    var ticket: String?
    for item in query.items {
      guard item.name == "ticket" else {
        throw ServiceError(
          .invalidArgument, "`\(item.parameter)` is not known here: a channel takes only `ticket`.",
          details: ["parameter": .string(item.parameter)])
      }
      guard ticket == nil else { throw InputError.twice(query.items) }
      ticket = item.value
    }
    return ticket
  }

  /// What to echo of the offered subprotocols: ours, or none when none was offered.
  static func protocolName(_ head: HTTPRequestHead) throws(ServiceError) -> String? {
    guard head.method == .get, hasToken("websocket", in: head.headers.all("Upgrade")) else {
      throw ServiceError(
        .invalidArgument, "This is a WebSocket: ask for it with `Upgrade: websocket`.",
        details: ["header": "Upgrade"])
    }
    let offered = tokens(in: head.headers.all("Sec-WebSocket-Protocol"))
    if offered.isEmpty { return nil }
    guard offered.contains(subprotocol) else {
      throw ServiceError(
        .invalidArgument, "The channel speaks the subprotocol `\(subprotocol)`, or none.",
        details: ["header": "Sec-WebSocket-Protocol", "values": [.string(subprotocol)]])
    }
    return subprotocol
  }

  private static func hasToken(_ token: String, in fields: [String]) -> Bool {
    tokens(in: fields).contains { $0.lowercased() == token }
  }

  private static func tokens(in fields: [String]) -> [String] {
    fields.flatMap { $0.split(separator: ",") }.map { String($0.filter { $0 != " " && $0 != "\t" }) }
      .filter { !$0.isEmpty }
  }
}
