import CSoup
import GLibBridge
import HTTPModel

/// One request and its answer, from the end of the headers to the last byte written.
@TransportActor
final class Exchange {
  private enum Stage {
    case deciding
    case reading(any AdmittedRequest)
    case upgrading(UpgradeOffer)
    case answering
    case over
  }

  let connection: ClientConnection
  let server: SoupHTTPServer
  let head: HTTPRequestHead
  /// Owned.
  let message: OpaquePointer
  /// Of the head: where the request ends is not clear.
  private let syntaxProblem: String?
  private let begun = Clock.now
  private var stage = Stage.deciding
  private var body = RequestBody(encoding: .identity, limit: 0)
  private var task: Task<Void, Never>?
  private var isPaused = false
  private var isCorked = false
  private(set) var answer: HTTPResponse?
  var bytesWritten = 0
  var stream: ResponseStream?

  private init(_ message: OpaquePointer, on connection: ClientConnection, of server: SoupHTTPServer) {
    g_object_ref(UnsafeMutableRawPointer(message))
    self.message = message
    self.connection = connection
    self.server = server
    let raw = connection.nextHead()
    syntaxProblem = raw?.problem
    head = HTTPRequestHead(message, on: connection, line: raw?.line)
  }

  isolated deinit { g_object_unref(UnsafeMutableRawPointer(message)) }

  /// The headers are there, nothing of the body was read.
  static func begin(_ message: OpaquePointer, on connection: ClientConnection, of server: SoupHTTPServer) {
    let exchange = Exchange(message, on: connection, of: server)
    connection.exchange = exchange
    ResponseWriter.forget(connection.malformedAnswer, in: message)
    // The body is collected here, once; libsoup would keep a copy of its own, without a limit.
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    soup_message_body_set_accumulate(soup_server_message_get_response_body(message), 0)
    connection.enter(.body)
    exchange.decide()
  }

  private var announcesBody: Bool {
    let headers = soup_server_message_get_request_headers(message)
    switch soup_message_headers_get_encoding(headers) {
    case SOUP_ENCODING_CHUNKED: return true
    case SOUP_ENCODING_CONTENT_LENGTH: return soup_message_headers_get_content_length(headers) > 0
    default: return false
    }
  }

  private func decide() {
    if let syntaxProblem { return end(with: server.handler.refuse(head, syntaxProblem: syntaxProblem)) }
    switch server.handler.decide(head) {
    case .refuse(let response): refuse(response)
    case .respond(let request, let limit): prepareBody(of: request, limit: limit)
    case .upgrade(let offer):
      let problem =
        announcesBody ? "A WebSocket handshake has no body." : WebSocketHandshake.problem(of: message, offer)
      if let problem {
        offer.session.closed(code: 1006)
        var response = server.handler.refuse(head, syntaxProblem: problem)
        response.headers["Sec-WebSocket-Version"] = "13"
        refuse(response)
      } else {
        stage = .upgrading(offer)
      }
    }
  }

  private func prepareBody(of request: any AdmittedRequest, limit: Int) {
    stage = .reading(request)
    guard announcesBody else { return }
    let headers = soup_server_message_get_request_headers(message)
    let encodingName = head.headers["Content-Encoding"]
    guard let encoding = RequestBody.encoding(named: encodingName) else {
      return refuse(request.refuse(.unsupportedEncoding(encodingName ?? "")))
    }
    if soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH,
      soup_message_headers_get_content_length(headers) > Int64(limit)
    {
      return refuse(request.refuse(.tooLarge(limit: limit)))
    }
    body = RequestBody(encoding: encoding, limit: limit)
    onSignal(message, "got-chunk") { [weak self] (_: OpaquePointer, chunk: OpaquePointer) in
      let chunk = OneThread(chunk)
      TransportActor.assumeIsolated { self?.got(chunk.value) }
    }
  }

  private func got(_ chunk: OpaquePointer) {
    guard case .reading(let request) = stage else { return }
    var count: gsize = 0
    let data = g_bytes_get_data(chunk, &count)
    do {
      try body.append(UnsafeRawBufferPointer(start: data, count: Int(count)))
    } catch {
      refuse(request.refuse(error.problem))
    }
  }

  /// Called when the connection saw chunks that are none.
  func checkBody() {
    guard case .reading(let request) = stage, connection.isBodyMalformed else { return }
    end(with: request.refuse(.malformedFraming))
  }

  func bodyTookTooLong() {
    switch stage {
    case .reading(let request): refuse(request.refuse(.tooSlow))
    default: connection.drop()
    }
  }

  /// Called by libsoup where no answer was set before.
  func bodyIsWhole() {
    switch stage {
    case .reading(let request):
      // To libsoup a chunk without a size is the last one.
      guard !connection.isBodyMalformed else {
        stage = .answering
        soup_message_headers_replace(soup_server_message_get_response_headers(message), "Connection", "close")
        return write(request.refuse(.malformedFraming))
      }
      answerLater(request, body.finish())
    case .upgrading(let offer):
      connection.enter(.writing)
      WebSocketHandshake.accept(message, offer) { [weak self] in self?.upgraded(offer) }
    case .deciding, .answering, .over: break
    }
  }

  private func answerLater(_ request: any AdmittedRequest, _ body: RequestBody.Received) {
    stage = .answering
    connection.enter(.answering)
    // The first part runs at once: what needs no waiting is answered without a turn of the loop.
    // It prefers no executor: with a preference it would begin in a later turn.
    let task = Task.immediate { await answer(request, body) }
    guard answer == nil, !isOver else { return }
    self.task = task
    pause()
    if connection.hasPeerLeft { task.cancel() }
  }

  private func answer(_ request: any AdmittedRequest, _ body: RequestBody.Received) async {
    let content: [UInt8]
    do throws(RequestBody.Problem) { content = try await body.content() } catch {
      return write(request.refuse(error.problem))
    }
    write(await request.respond(body: content))
  }

  func clientLeft() {
    task?.cancel()
    stream?.clientLeft()
  }

  var isOver: Bool { if case .over = stage { true } else { false } }

  private func write(_ response: HTTPResponse) {
    guard !isOver else { return }
    answer = response
    connection.enter(.writing)
    ResponseWriter.write(response, of: self)
    resume()
  }

  /// A producer writes the body; its task is cancelled when the client leaves.
  func run(
    _ producer: @escaping @Sendable (any HTTPBodyWriter) async throws -> Void, into stream: ResponseStream
  ) {
    self.stream = stream
    task = Task.immediate(executorPreference: TransportActor.taskExecutor) { await stream.run(producer) }
  }

  func corkUntilEnded() {
    isCorked = true
    connection.cork(true)
  }

  /// libsoup goes on once there is something to write.
  func resume() {
    guard isPaused || stream != nil, !isOver else { return }
    isPaused = false
    soup_server_message_unpause(message)
  }

  private func pause() {
    isPaused = true
    soup_server_message_pause(message)
  }

  /// An answer before the body was read. Where one is coming, the connection is taken from libsoup, which
  /// would read all of it first.
  private func refuse(_ response: HTTPResponse) {
    guard announcesBody else {
      stage = .answering
      return write(response)
    }
    end(with: response)
  }

  /// The last answer on this connection, which is taken from libsoup.
  private func end(with response: HTTPResponse) {
    stage = .answering
    answer = response
    guard let stream = soup_server_message_steal_connection(message) else { return ended(wasWritten: false) }
    let output = ResponseWriter.serialize(
      response, isHead: head.method == .head, serverHeader: server.options.serverHeader)
    bytesWritten = response.body.count
    LingeringClose(connection, owning: stream, sending: output)
    ended(wasWritten: true)
  }

  /// The handshake's answer went out: from here on the connection is a WebSocket.
  private func upgraded(_ offer: UpgradeOffer) {
    guard case .upgrading = stage, let stream = soup_server_message_steal_connection(message) else { return }
    answer = HTTPResponse(status: 101)
    stage = .answering
    ended(wasWritten: true)
    SoupWebSocket(connection, owning: stream, offer).open()
  }

  /// Ends the connection in the middle of an answer, which is how HTTP says that it is not whole.
  func abort() {
    guard !isOver else { return }
    task?.cancel()
    // Before libsoup lets go: it would end a chunked body properly.
    connection.shutDown()
    guard let stream = soup_server_message_steal_connection(message) else { return ended(wasWritten: false) }
    g_io_stream_close(stream, nil, nil)
    g_object_unref(stream)
    ended(wasWritten: false)
    connection.closed()
  }

  /// The message is no longer libsoup's to write.
  func ended(wasWritten: Bool) {
    guard !isOver else { return }
    if case .upgrading(let offer) = stage { offer.session.closed(code: 1006) }
    stage = .over
    if isCorked { connection.cork(false) }
    if !wasWritten { task?.cancel() }
    stream?.ended()
    stream = nil
    if connection.exchange === self { connection.exchange = nil }
    server.options.onFinished?(
      FinishedRequest(
        head: head, status: answer?.status ?? 0, responseHeaders: answer?.headers ?? [:], bytes: bytesWritten,
        duration: .microseconds(Clock.now - begun)))
  }
}

extension HTTPBody {
  /// Of a body that is known before it is written.
  var count: Int {
    if case .bytes(let bytes) = self { bytes.count } else { 0 }
  }
}
