import CSoup
import GLibBridge
import Glibc
import HTTPModel

/// libsoup's side of the server: one handler for every path, and the signals that begin and end a message.
@TransportActor
enum SoupRouting {
  static func makeServer(for server: SoupHTTPServer, serverHeader: String) -> UnsafeMutablePointer<SoupServer>
  {
    let soup = construct(serverHeader: serverHeader)
    keepAlive(soup)
    watchConnections(soup)
    let data = Unmanaged.passUnretained(server).toOpaque()
    soup_server_add_early_handler(soup, nil, gotHeaders, data, nil)
    soup_server_add_handler(soup, nil, gotBody, data, nil)
    onSignal(soup, "request-started") { (_: OpaquePointer, message: OpaquePointer) in
      let message = OneThread(message)
      TransportActor.assumeIsolated { started(message.value) }
    }
    onSignal(soup, "request-finished") { (_: OpaquePointer, message: OpaquePointer) in
      let message = OneThread(message)
      TransportActor.assumeIsolated { ended(message.value, wasWritten: true) }
    }
    onSignal(soup, "request-aborted") { (_: OpaquePointer, message: OpaquePointer) in
      let message = OneThread(message)
      TransportActor.assumeIsolated { ended(message.value, wasWritten: false) }
    }
    return soup
  }

  private static func construct(serverHeader: String) -> UnsafeMutablePointer<SoupServer> {
    // `raw-paths`, so that `%2F` stays inside its segment; it can be set at construction only.
    var values = [GValue(), GValue()]
    g_value_init(&values[0], g_type_from_name("gboolean"))
    g_value_set_boolean(&values[0], 1)
    g_value_init(&values[1], g_type_from_name("gchararray"))
    g_value_set_string(&values[1], serverHeader)
    defer { for index in values.indices { g_value_unset(&values[index]) } }
    let names = [strdup("raw-paths"), strdup("server-header")]
    defer { for name in names { free(name) } }
    var pointers = names.map { UnsafePointer($0) }
    let object = g_object_new_with_properties(soup_server_get_type(), 2, &pointers, values)!
    return UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
  }

  /// libsoup keeps a client's connection open after an answer only while it has a listener. It gets one
  /// that never hears anything: an end of a socket pair whose other end nobody uses.
  private static func keepAlive(_ soup: UnsafeMutablePointer<SoupServer>) {
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return }
    for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    guard let socket = g_socket_new_from_fd(pair[0], nil) else { return }
    soup_server_listen_socket(soup, socket, SoupServerListenOptions(rawValue: 0), nil)
    // The other end closes with the server object.
    let other = g_socket_new_from_fd(pair[1], nil)
    g_object_set_data_full(
      UnsafeMutableRawPointer(soup).assumingMemoryBound(to: GObject.self), "other-end", other,
      { g_object_unref($0) })
    g_object_unref(socket)
  }

  /// libsoup tells its connection objects to nobody; `ClientConnection.drop` needs them.
  private static func watchConnections(_ soup: UnsafeMutablePointer<SoupServer>) {
    guard !isWatching else { return }
    // The type is known once there was one: an end of a pair whose other end is closed at once.
    var pair: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return }
    close(pair[1])
    guard let socket = g_socket_new_from_fd(pair[0], nil) else { return }
    let stream = g_socket_connection_factory_create_connection(socket)!
    let address = SocketAddress.placeholder()
    soup_server_accept_iostream(
      soup, UnsafeMutableRawPointer(stream).assumingMemoryBound(to: GIOStream.self), address, address, nil)
    for object in [
      UnsafeMutableRawPointer(socket), UnsafeMutableRawPointer(stream), UnsafeMutableRawPointer(address),
    ] {
      g_object_unref(object)
    }
    isWatching = EmissionHook.add(type: "SoupServerConnection", signal: "request-started") {
      connection, message in
      let pointers = OneThread((connection, message))
      TransportActor.assumeIsolated {
        ClientConnection.of(pointers.value.1)?.soupConnection = pointers.value.0
      }
    }
  }

  private static var isWatching = false

  private static let gotHeaders: SoupServerCallback = { _, message, _, _, data in
    let pointers = OneThread((message!, Unmanaged<SoupHTTPServer>.fromOpaque(data!)))
    TransportActor.assumeIsolated {
      let (message, server) = pointers.value
      guard let connection = ClientConnection.of(message) else { return }
      Exchange.begin(message, on: connection, of: server.takeUnretainedValue())
    }
  }

  private static let gotBody: SoupServerCallback = { _, message, _, _, _ in
    let message = OneThread(message!)
    TransportActor.assumeIsolated { ClientConnection.of(message.value)?.exchange?.bodyIsWhole() }
  }

  private static func started(_ message: OpaquePointer) {
    guard let connection = ClientConnection.of(message) else { return }
    connection.enter(.head)
    // What libsoup cannot read it answers itself, with a body only when there is one already.
    ResponseWriter.prepare(connection.malformedAnswer, in: message)
  }

  private static func ended(_ message: OpaquePointer, wasWritten: Bool) {
    guard let connection = ClientConnection.of(message) else { return }
    connection.exchange?.ended(wasWritten: wasWritten)
    connection.enter(.idle)
  }
}
