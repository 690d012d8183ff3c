import HTTPModel

/// Limits, deadlines and hooks of a `SoupHTTPServer`.
public struct TransportOptions: Sendable {
  /// The `Server` header.
  public var serverHeader = "webview-server"
  /// More connections than this at a time are answered 503 and closed.
  public var maximumConnections = 2048
  /// File descriptors that connections leave to the rest of the program (at least half of all are theirs).
  /// Less than new pages leave: whoever made too many must still get in to dispose of them.
  public var reservedDescriptors = 48
  /// A kept-alive connection without a request is closed after this.
  public var idleTimeout: Duration = .seconds(75)
  /// From the connection, or a request's first byte, to the end of its headers.
  public var headerTimeout: Duration = .seconds(15)
  /// From the end of the headers to the end of the body.
  public var bodyTimeout: Duration = .seconds(120)
  /// How long a client may take nothing of an answer that is being written.
  public var writeTimeout: Duration = .seconds(60)
  /// After an answer that came before the body: how long the rest of it is thrown away, so that the
  /// client reads the answer rather than a reset.
  public var lingerTimeout: Duration = .seconds(2)
  /// WebSockets are pinged this often; two unanswered pings end the connection.
  public var heartbeat: Duration = .seconds(20)
  /// nil serves plain HTTP.
  public var tls: TLSIdentity?
  /// For the access log: called on the transport's thread when an answer went out or its client left.
  public var onFinished: (@Sendable (FinishedRequest) -> Void)?

  public init() {}
}

/// One line of an access log.
public struct FinishedRequest: Sendable {
  public var head: HTTPRequestHead
  /// 101 for an accepted WebSocket, at its start; 0 when the client left before an answer began.
  public var status: Int
  /// Of the answer, such as `X-Request-Id`.
  public var responseHeaders: HTTPHeaders
  /// Body bytes handed to the connection.
  public var bytes: Int
  public var duration: Duration
}
