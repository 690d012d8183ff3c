import CSoup
import GLibBridge
import Glibc
import HTTPModel

/// Serves an `HTTPHandler` on libsoup, on the transport's own thread.
///
/// The connections are accepted here and handed to libsoup, not by libsoup: its listener stops for ever after
/// one failed accept (no descriptors left), and stopping it would cut off the requests in flight.
@TransportActor
public final class SoupHTTPServer {
  /// Deadlines in microseconds.
  struct Timing {
    let header, idle, body, write, linger, heartbeat: Int64
  }

  let handler: any HTTPHandler
  let options: TransportOptions
  let timing: Timing
  private(set) var isDraining = false
  private var soup: UnsafeMutablePointer<SoupServer>?
  private var certificate: UnsafeMutablePointer<GTlsCertificate>?
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: ClientConnection] = [:]
  private var ticker: LoopSource?
  private var drained: CheckedContinuation<Void, Never>?
  /// The kernel gives the lowest free number, so a high one says that few are left.
  private var firstReservedDescriptor = Int32.max

  public nonisolated init(handler: any HTTPHandler, options: TransportOptions = TransportOptions()) {
    self.handler = handler
    self.options = options
    timing = Timing(
      header: options.headerTimeout.microseconds, idle: options.idleTimeout.microseconds,
      body: options.bodyTimeout.microseconds, write: options.writeTimeout.microseconds,
      linger: options.lingerTimeout.microseconds, heartbeat: options.heartbeat.microseconds)
  }

  /// How many clients are connected.
  public var connectionCount: Int { connections.count }

  /// May be called for several addresses. Throws `ListenFailure`.
  @discardableResult
  public func listen(on address: ListenAddress) throws -> BoundAddress {
    let soup = try started()
    let listener = try Listener(address, isSecure: options.tls != nil) { [unowned self] socket, isUnix in
      accept(socket, isUnix: isUnix, by: soup)
    }
    listeners.append(listener)
    return listener.bound
  }

  /// Stops accepting, lets the requests in flight finish for up to `drain` (WebSockets are closed with 1001
  /// at once), has `settle` end what is left so that it is answered, and closes what is not. Socket files are
  /// removed at once.
  public func stop(drain: Duration, settle: (@Sendable () async -> Void)? = nil) async {
    guard !isDraining else { return }
    isDraining = true
    for listener in listeners { listener.close() }
    listeners = []
    for connection in connections.values {
      if case .handedOver(let owner) = connection.phase {
        owner.drain()
      } else if connection.isIdle {
        connection.drop()
      }
    }
    await allClosed(within: drain)
    if let settle {
      await settle()
      // Those answers are on their way out.
      await allClosed(within: Self.timeForLastAnswers)
    }
    for connection in connections.values { connection.forceClose() }
    // libsoup lets go of the connections cut off just now in its own time.
    await allClosed(within: .seconds(1))
    ticker = nil
    if let soup {
      soup_server_disconnect(soup)
      g_object_unref(soup)
    }
    soup = nil
    if let certificate { g_object_unref(certificate) }
    certificate = nil
  }

  private static let timeForLastAnswers = Duration.seconds(2)

  private func allClosed(within limit: Duration) async {
    guard !connections.isEmpty else { return }
    let timer = LoopSource.timer(every: limit) { [self] in
      TransportActor.assumeIsolated { resumeDrained() }
      return false
    }
    await withCheckedContinuation { drained = $0 }
    timer.cancel()
  }

  private func resumeDrained() {
    drained?.resume()
    drained = nil
  }

  func remove(_ connection: ClientConnection) {
    connections[ObjectIdentifier(connection)] = nil
    if connections.isEmpty { resumeDrained() }
  }

  private func started() throws -> UnsafeMutablePointer<SoupServer> {
    if let soup { return soup }
    if let tls = options.tls {
      do { certificate = try tls.load() } catch { throw ListenFailure.certificate(error) }
    }
    firstReservedDescriptor = descriptorsForConnections()
    let soup = SoupRouting.makeServer(for: self, serverHeader: options.serverHeader)
    self.soup = soup
    let shortest = [
      timing.header, timing.idle, timing.body, timing.write, timing.linger, timing.heartbeat,
    ].min()!
    // Deadlines are kept by one sweep rather than by a timer for each connection.
    ticker = LoopSource.timer(every: .microseconds(min(max(shortest / 8, 10_000), 500_000))) {
      [unowned self] in
      TransportActor.assumeIsolated { tick() }
      return true
    }
    return soup
  }

  private func tick() {
    let now = Clock.now
    for connection in connections.values { connection.tick(now) }
    for listener in listeners { listener.resumeIfPaused() }
  }

  /// Takes over the reference to `socket`.
  private func accept(
    _ socket: UnsafeMutablePointer<GSocket>, isUnix: Bool, by soup: UnsafeMutablePointer<SoupServer>
  ) {
    let isSecure = certificate != nil && !isUnix
    let connection = ClientConnection(
      owning: socket, server: self, isSecure: isSecure, isUnixSocket: isUnix)
    guard connections.count < options.maximumConnections, connection.descriptor < firstReservedDescriptor
    else {
      if !isSecure { refuseCrowd(connection) }
      return
    }
    if !isUnix { g_socket_set_option(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1, nil) }
    connections[ObjectIdentifier(connection)] = connection
    connection.enter(.head)
    connection.watchPeer()
    // What comes through TLS is not seen: the path is then libsoup's.
    let base = TappedConnection.make(over: socket, tap: connection.tap)
    guard isSecure, let certificate else { return serve(base, connection, soup) }
    TLSHandshake(over: base, certificate: certificate, connection) { [self] stream in
      if isDraining {
        LingeringClose(connection, owning: stream, sending: [])
      } else {
        serve(stream, connection, soup)
      }
    }
  }

  /// Takes over the reference to `stream`.
  private func serve(
    _ stream: UnsafeMutablePointer<GIOStream>, _ connection: ClientConnection,
    _ soup: UnsafeMutablePointer<SoupServer>
  ) {
    let address = SocketAddress.placeholder()
    let local = SocketAddress.placeholder()
    connection.tie(to: address)
    soup_server_accept_iostream(soup, stream, local, address, nil)
    g_object_unref(address)
    g_object_unref(local)
    g_object_unref(stream)
  }

  /// GLib and X end the whole program when they find no descriptor: clients never get the last ones.
  private func descriptorsForConnections() -> Int32 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    let all = Int(clamping: limit.rlim_cur)
    return Int32(clamping: max(all - options.reservedDescriptors, all / 2))
  }

  private func refuseCrowd(_ connection: ClientConnection) {
    let answer = ResponseWriter.serialize(
      handler.crowdedAnswer, isHead: false, serverHeader: options.serverHeader)
    _ = answer.withUnsafeBytes {
      Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    }
    connection.drop()
  }
}
