import CSoup
import GLibBridge
import HTTPModel

extension HTTPRequestHead {
  /// Copies what libsoup parsed; path and query as they came.
  @TransportActor
  init(_ message: OpaquePointer, on connection: ClientConnection, line: [UInt8]?) {
    let uri = soup_server_message_get_uri(message)!
    var headers = HTTPHeaders()
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, soup_server_message_get_request_headers(message))
    var name: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
      headers.add(String(cString: name!), String(cString: value!))
    }
    let method = String(cString: soup_server_message_get_method(message))
    let path = String(cString: g_uri_get_path(uri))
    self.init(
      method: HTTPMethod(method),
      path: line.flatMap { RequestLine($0).path(method: method, folded: path) } ?? path,
      query: g_uri_get_query(uri).map { String(cString: $0) },
      headers: headers, isSecure: connection.isSecure, isUnixSocket: connection.isUnixSocket)
  }
}
