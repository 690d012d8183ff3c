import CSoup
import GLibBridge
import Glibc

/// One accepted socket, until it is closed: what it is doing, and how long it may go on so.
///
/// libsoup's messages find it through their remote address, an object of its own for each connection.
@TransportActor
final class ClientConnection {
  enum Phase {
    /// TLS, or the headers of a request.
    case head
    /// Kept alive, between requests.
    case idle
    case body
    /// The application is at work: no deadline here.
    case answering
    case writing
    /// No longer libsoup's: a WebSocket, or an answer that lingers.
    case handedOver(any ConnectionOwner)
    case closed
  }

  let server: SoupHTTPServer
  let socket: UnsafeMutablePointer<GSocket>
  let descriptor: Int32
  let isSecure: Bool
  let isUnixSocket: Bool
  private(set) var phase = Phase.head
  private var deadline = Int64.max
  var exchange: Exchange?
  let tap = TappedConnection.Tap()
  /// nil under TLS, whose plain bytes do not come by here.
  private var framing: RequestFraming?
  /// libsoup's connection object: not ours to keep, valid until `released`.
  var soupConnection: OpaquePointer?
  /// For bytes on this connection that make no request.
  private(set) lazy var malformedAnswer = server.handler.malformedAnswer
  private var peerWatch: LoopSource?
  /// The peer will send no more: it closed, or half-closed, which is the same to us.
  private(set) var hasPeerLeft = false

  /// Takes over the reference to `socket`.
  init(
    owning socket: UnsafeMutablePointer<GSocket>, server: SoupHTTPServer, isSecure: Bool, isUnixSocket: Bool
  ) {
    self.socket = socket
    self.server = server
    self.isSecure = isSecure
    self.isUnixSocket = isUnixSocket
    descriptor = g_socket_get_fd(socket)
    guard !isSecure else { return }
    framing = RequestFraming()
    tap.onRead = { [unowned self] bytes in
      let bytes = OneThread(bytes)
      TransportActor.assumeIsolated { saw(bytes.value) }
    }
  }

  private func saw(_ bytes: UnsafeRawBufferPointer) {
    framing?.append(bytes)
    guard framing?.malformedBody != nil else { return }
    tap.onRead = nil
    // libsoup is in the middle of reading; what it makes of it may be a body that never ends.
    TransportActor.loop.later { [weak self] in
      TransportActor.assumeIsolated { self?.exchange?.checkBody() }
    }
  }

  /// The head of the request that libsoup begins, as it came.
  func nextHead() -> RequestFraming.Head? { framing?.next() }

  /// Whether the body of the request that `nextHead` told last is malformed.
  var isBodyMalformed: Bool { framing.map { $0.malformedBody == $0.number } ?? false }

  isolated deinit { g_object_unref(socket) }

  private static let key = g_quark_from_static_string("webview-server-connection")

  /// Ties this object to the address that libsoup keeps as long as the connection.
  func tie(to address: UnsafeMutablePointer<GSocketAddress>) {
    g_object_set_qdata_full(
      UnsafeMutableRawPointer(address).assumingMemoryBound(to: GObject.self), Self.key,
      Unmanaged.passRetained(self).toOpaque(),
      { data in
        let connection = OneThread(Unmanaged<ClientConnection>.fromOpaque(data!))
        TransportActor.assumeIsolated { connection.value.takeRetainedValue().released() }
      })
  }

  static func of(_ message: OpaquePointer) -> ClientConnection? {
    guard let address = soup_server_message_get_remote_address(message),
      let data = g_object_get_qdata(
        UnsafeMutableRawPointer(address).assumingMemoryBound(to: GObject.self), key)
    else { return nil }
    return Unmanaged<ClientConnection>.fromOpaque(data).takeUnretainedValue()
  }

  /// The phase changes, and so does what is waited for.
  func enter(_ phase: Phase) {
    if case .closed = self.phase { return }
    self.phase = phase
    if case .handedOver = phase {
      peerWatch = nil
      tap.onRead = nil
    }
    let options = server.timing
    switch phase {
    case .head: deadline = Clock.now + options.header
    case .idle: deadline = Clock.now + options.idle
    case .body: deadline = Clock.now + options.body
    case .writing: deadline = Clock.now + options.write
    case .answering, .handedOver, .closed: deadline = .max
    }
  }

  /// One watch for the life of the connection: a paused message does not look at its socket, and libsoup
  /// does not notice the end of an idle connection.
  func watchPeer() {
    peerWatch = LoopSource.descriptor(descriptor, .peerClosed) { [weak self] _ in
      TransportActor.assumeIsolated { self?.peerLeft() }
      return false
    }
  }

  private func peerLeft() {
    hasPeerLeft = true
    peerWatch = nil
    exchange?.clientLeft()
    // Not where a further request is waiting to be read.
    if case .idle = phase, !hasUnread { drop() }
  }

  /// While corked, what libsoup writes in two parts (headers, body) waits to leave as one segment: a client
  /// wakes once for it.
  func cork(_ isCorked: Bool) {
    guard !isUnixSocket else { return }
    var value: Int32 = isCorked ? 1 : 0
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private var hasUnread: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Called now and then.
  func tick(_ now: Int64) {
    if case .handedOver(let owner) = phase { return owner.tick(now) }
    if case .idle = phase, hasPeerLeft || deadline == .max { return drop() }
    guard now >= deadline else { return }
    deadline = .max
    if case .body = phase, let exchange { return exchange.bodyTookTooLong() }
    drop()
  }

  var isIdle: Bool {
    switch phase {
    case .idle, .head: true
    default: false
    }
  }

  /// Ends it from outside: libsoup reads the end of the stream, or cannot write, and lets go of it.
  func drop() {
    shutDown()
    guard case .idle = phase else { return }
    // libsoup sees it in the next turn of the loop.
    TransportActor.loop.later { [self] in
      TransportActor.loop.later { [self] in TransportActor.assumeIsolated { forget() } }
    }
  }

  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Between requests libsoup 3.2 reads the end of the stream and then forgets to disconnect: the descriptor
  /// would stay open for ever. Its server does that when the connection says so; but only once the message
  /// that waited for a next request is gone, which shows in nobody but the server holding the connection.
  private func forget() {
    guard case .idle = phase, let soupConnection, soupConnection.cast(to: GObject.self).pointee.ref_count == 1
    else { return }
    self.soupConnection = nil
    EmissionHook.emit("disconnected", on: soupConnection)
  }

  /// By whatever means, now.
  func forceClose() {
    if case .handedOver(let owner) = phase {
      owner.forceClose()
    } else if let exchange {
      exchange.abort()
    } else {
      drop()
    }
  }

  /// libsoup let go of its connection object.
  private func released() {
    soupConnection = nil
    if case .handedOver = phase { return }
    closed()
  }

  /// The descriptor is closed, or is about to be.
  func closed() {
    if case .closed = phase { return }
    phase = .closed
    peerWatch = nil
    tap.onRead = nil
    server.remove(self)
  }
}

/// Who has a connection that libsoup no longer has.
@TransportActor
protocol ConnectionOwner: AnyObject {
  func tick(_ now: Int64)
  func forceClose()
  /// The server stops.
  func drain()
}

/// Microseconds of the monotonic clock.
enum Clock {
  static var now: Int64 { Int64(g_get_monotonic_time()) }
}

extension Duration {
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
