/// What a transport serves. `admit` decides on the head alone, before a byte of the body is read.
public protocol HTTPHandler: Sendable {
  associatedtype Admitted: Sendable
  /// On the transport's thread: pure and quick.
  func admit(_ head: HTTPRequestHead) -> HTTPAdmission<Admitted>
  /// Cancelled when the client goes away.
  func respond(to admitted: Admitted, body: [UInt8]) async -> HTTPResponse
  /// A body that could not be read whole: over the limit while inflating, a bad gzip stream, too slow.
  func refuse(_ admitted: Admitted, problem: HTTPBodyProblem) -> HTTPResponse
  /// A head that leaves open where its request ends; `head` is what could be made of it.
  func refuse(_ head: HTTPRequestHead, syntaxProblem: String) -> HTTPResponse
  /// For bytes that are no request at all, of which nothing else is known.
  var malformedAnswer: HTTPResponse { get }
  /// For a connection that is one too many.
  var crowdedAnswer: HTTPResponse { get }
}

extension HTTPHandler {
  public func refuse(_ head: HTTPRequestHead, syntaxProblem: String) -> HTTPResponse {
    HTTPResponse(
      status: 400, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: .bytes(Array((syntaxProblem + "\n").utf8)))
  }
  public var malformedAnswer: HTTPResponse { HTTPResponse(status: 400) }
  public var crowdedAnswer: HTTPResponse { HTTPResponse(status: 503, headers: ["Retry-After": "1"]) }
}

public enum HTTPAdmission<Admitted: Sendable>: Sendable {
  /// Answered at once; the body is not read, and where one is coming the connection closes (then only an
  /// answer of known bytes is possible, no stream).
  case refuse(HTTPResponse)
  /// `bodyLimit` holds after inflating.
  case respond(Admitted, bodyLimit: Int)
  /// A WebSocket upgrade: `protocolName` is echoed when not nil.
  case upgrade(protocolName: String?, maximumMessageBytes: Int, any WebSocketSession)
}

public enum HTTPBodyProblem: Sendable, Equatable {
  case tooLarge(limit: Int)
  case malformedEncoding
  case unsupportedEncoding(String)
  case tooSlow
  /// Chunks that are none.
  case malformedFraming
}

public enum WebSocketMessage: Sendable, Equatable {
  case text(String)
  case binary([UInt8])
}

/// The application's side of a WebSocket; all calls come on the transport's thread, in order.
public protocol WebSocketSession: AnyObject, Sendable {
  func opened(_ connection: any WebSocketConnection)
  func received(_ message: WebSocketMessage)
  /// A message above `maximumMessageBytes`; the transport closes with 1009 after this returns.
  func receivedTooLarge(limit: Int)
  /// Always the last call, exactly once: also when the peer vanished (1006), and without `opened` before it
  /// when the handshake was no proper one.
  func closed(code: Int)
}

/// The transport's side of a WebSocket; callable from any thread, in order of calls.
public protocol WebSocketConnection: AnyObject, Sendable {
  func send(_ message: WebSocketMessage)
  /// Sent after what was handed to `send` before.
  func close(code: Int, reason: String)
  /// Bytes handed to `send` that the kernel has not taken yet; the transport lets it hold only little that
  /// it has not sent.
  var bufferedAmount: Int { get }
  /// Calls back on the transport's thread each time the buffer has drained to 0, until the connection ends.
  func onDrain(_ body: @escaping @Sendable () -> Void)
}
