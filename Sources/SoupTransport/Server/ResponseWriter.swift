import CSoup
import GLibBridge
import HTTPModel

/// Turns an `HTTPResponse` into what libsoup writes, or into bytes.
@TransportActor
enum ResponseWriter {
  /// Answers up to this size leave as one with their headers.
  private static let corkedSize = 16 << 10

  static func write(_ response: HTTPResponse, of exchange: Exchange) {
    let message = exchange.message
    let headers = soup_server_message_get_response_headers(message)
    soup_server_message_set_status(message, UInt32(response.status), nil)
    for field in response.headers { soup_message_headers_append(headers, field.name, field.value) }
    if exchange.server.isDraining { soup_message_headers_replace(headers, "Connection", "close") }
    let isHead = exchange.head.method == .head
    let body = soup_server_message_get_response_body(message)
    switch response.body {
    case .empty:
      if response.status == 204 {
        keepAliveWithoutLength(message)
      } else if response.status != 304 {
        soup_message_headers_set_content_length(headers, 0)
      }
    case .bytes(let bytes):
      soup_message_headers_set_content_length(headers, goffset(bytes.count))
      guard !isHead, !bytes.isEmpty else { return }
      exchange.bytesWritten = bytes.count
      if bytes.count <= corkedSize { exchange.corkUntilEnded() }
      let held = ByteBuffers.bytes(holding: bytes)
      soup_message_body_append_bytes(body, held)
      g_bytes_unref(held)
      if bytes.count > 64 << 10 { watchProgress(of: exchange) }
    case .stream(let length, let producer):
      if let length {
        soup_message_headers_set_content_length(headers, goffset(length))
      } else {
        // Clients of the old protocol know no chunks: there the end of the connection is the end.
        let isOld = soup_server_message_get_http_version(message) == SOUP_HTTP_1_0
        soup_message_headers_set_encoding(headers, isOld ? SOUP_ENCODING_EOF : SOUP_ENCODING_CHUNKED)
      }
      guard !isHead else { return }
      watchProgress(of: exchange)
      exchange.run(producer, into: ResponseStream(exchange, length: length))
    }
  }

  /// The answer for the case that libsoup refuses the request by itself; it brings the status.
  static func prepare(_ response: HTTPResponse, in message: OpaquePointer) {
    let headers = soup_server_message_get_response_headers(message)
    for field in response.headers { soup_message_headers_append(headers, field.name, field.value) }
    guard case .bytes(let bytes) = response.body else { return }
    bytes.withUnsafeBytes {
      soup_message_body_append(
        soup_server_message_get_response_body(message), SOUP_MEMORY_COPY, $0.baseAddress, gsize($0.count))
    }
  }

  /// The request could be read.
  static func forget(_ response: HTTPResponse, in message: OpaquePointer) {
    let headers = soup_server_message_get_response_headers(message)
    for field in response.headers { soup_message_headers_remove(headers, field.name) }
    soup_message_body_truncate(soup_server_message_get_response_body(message))
  }

  /// libsoup removes the length that 204 must not have, then takes the answer for one that ends with its
  /// connection, and closes it.
  private static func keepAliveWithoutLength(_ message: OpaquePointer) {
    onSignal(message, "wrote-headers") { (message: OpaquePointer) in
      soup_message_headers_set_encoding(soup_server_message_get_response_headers(message), SOUP_ENCODING_NONE)
    }
  }

  /// Each part that the client takes starts the time anew.
  private static func watchProgress(of exchange: Exchange) {
    onSignal(exchange.message, "wrote-body-data") { [weak exchange] (_: OpaquePointer, _: UInt32) in
      TransportActor.assumeIsolated { exchange?.connection.enter(.writing) }
    }
  }

  /// A whole answer after which the connection closes.
  static func serialize(_ response: HTTPResponse, isHead: Bool, serverHeader: String) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
    text +=
      "Server: \(serverHeader)\r\nDate: \(date())\r\nConnection: close\r\nContent-Length: \(response.body.count)\r\n"
    for field in response.headers {
      // What the application says about framing holds for a connection that goes on.
      switch field.name.lowercased() {
      case "connection", "content-length", "transfer-encoding", "date", "server": continue
      default: text += "\(field.name): \(field.value)\r\n"
      }
    }
    var output = Array((text + "\r\n").utf8)
    if !isHead, case .bytes(let bytes) = response.body { output += bytes }
    return output
  }

  private static func reason(_ status: Int) -> String {
    soup_status_get_phrase(UInt32(status)).map { String(cString: $0) } ?? ""
  }

  private static func date() -> String {
    guard let now = g_date_time_new_now_utc() else { return "" }
    defer { g_date_time_unref(now) }
    guard let text = soup_date_time_to_string(now, SOUP_DATE_HTTP) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
