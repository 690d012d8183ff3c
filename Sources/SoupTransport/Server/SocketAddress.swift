import CSoup
import GLibBridge
import Glibc

/// Why an address could not be listened on.
public enum ListenFailure: Error, CustomStringConvertible, Sendable {
  case unknownHost(String)
  case inUse(ListenAddress)
  case notASocket(path: String)
  case failed(ListenAddress, GLibError)
  case certificate(GLibError)

  public var description: String {
    switch self {
    case .unknownHost(let host): "no address is known for the host '\(host)'"
    case .inUse(let address): "\(address) is in use by another program"
    case .notASocket(let path): "'\(path)' exists and is no socket: remove it or listen elsewhere"
    case .failed(let address, let error): "cannot listen on \(address): \(error.message)"
    case .certificate(let error): "the TLS certificate or key cannot be used: \(error.message)"
    }
  }
}

/// Listening sockets and their addresses.
enum SocketAddress {
  static func isLoopbackLiteral(_ host: String) -> Bool {
    guard let address = g_inet_address_new_from_string(host) else { return false }
    defer { g_object_unref(address) }
    return g_inet_address_get_is_loopback(address) != 0
  }

  /// A bound, listening, non-blocking socket that the caller owns.
  static func listen(on address: ListenAddress) throws -> UnsafeMutablePointer<GSocket> {
    do {
      switch address {
      case .tcp(let host, let port):
        guard let inet = resolve(host) else { throw ListenFailure.unknownHost(host) }
        defer { g_object_unref(inet) }
        return try open(g_inet_socket_address_new(inet, port)!) { _ in }
      case .unix(let path):
        try removeStale(path, address)
        // Between bind and listen nobody can connect yet.
        return try open(g_unix_socket_address_new(path)!) { _ in chmod(path, 0o600) }
      }
    } catch let error as GLibError {
      throw error.isIO(G_IO_ERROR_ADDRESS_IN_USE) ? ListenFailure.inUse(address) : .failed(address, error)
    }
  }

  /// The port that the system picked.
  static func port(of socket: UnsafeMutablePointer<GSocket>) throws -> UInt16 {
    guard let address = try throwing({ g_socket_get_local_address(socket, &$0) }) else { return 0 }
    defer { g_object_unref(address) }
    return g_inet_socket_address_get_port(
      UnsafeMutableRawPointer(address).assumingMemoryBound(to: GInetSocketAddress.self))
  }

  /// An address object of our own for each connection: what identifies it among libsoup's messages. Also
  /// given for unix sockets, whose addresses libsoup takes for internet ones (HTTP/1.0 without Host).
  static func placeholder() -> UnsafeMutablePointer<GSocketAddress> {
    let loopback = g_inet_address_new_loopback(G_SOCKET_FAMILY_IPV4)!
    defer { g_object_unref(loopback) }
    return g_inet_socket_address_new(loopback, 0)!
  }

  private static func open(
    _ address: UnsafeMutablePointer<GSocketAddress>, beforeListening: (UnsafeMutablePointer<GSocket>) -> Void
  ) throws -> UnsafeMutablePointer<GSocket> {
    defer { g_object_unref(address) }
    let family = g_socket_address_get_family(address)
    let socket = try throwing {
      g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &$0)
    }!
    do {
      if family == G_SOCKET_FAMILY_IPV6 {
        try throwing { g_socket_set_option(socket, Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY), 1, &$0) }
      }
      try throwing { g_socket_bind(socket, address, 1, &$0) }
      beforeListening(socket)
      g_socket_set_listen_backlog(socket, 1024)
      try throwing { g_socket_listen(socket, &$0) }
    } catch {
      g_object_unref(socket)
      throw error
    }
    g_socket_set_blocking(socket, 0)
    return socket
  }

  /// IPv4 where a name has both.
  private static func resolve(_ host: String) -> UnsafeMutablePointer<GInetAddress>? {
    if let literal = g_inet_address_new_from_string(host) { return literal }
    guard let resolver = g_resolver_get_default() else { return nil }
    defer { g_object_unref(resolver) }
    guard let found = g_resolver_lookup_by_name(resolver, host, nil, nil) else { return nil }
    defer { g_resolver_free_addresses(found) }
    var chosen: UnsafeMutablePointer<GInetAddress>?
    var node: UnsafeMutablePointer<GList>? = found
    while let item = node {
      let address = item.pointee.data!.assumingMemoryBound(to: GInetAddress.self)
      let isBetter = g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV4
      if chosen == nil || isBetter { chosen = address }
      if isBetter { break }
      node = item.pointee.next
    }
    if let chosen { g_object_ref(chosen) }
    return chosen
  }

  /// A server that was killed leaves its socket file behind: removed only when nobody answers on it.
  private static func removeStale(_ path: String, _ address: ListenAddress) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw ListenFailure.notASocket(path: path) }
    let socket = try throwing {
      g_socket_new(G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &$0)
    }!
    defer { g_object_unref(socket) }
    // Where the backlog is full a blocking connect would wait for ever.
    g_socket_set_blocking(socket, 0)
    let target = g_unix_socket_address_new(path)!
    defer { g_object_unref(target) }
    do {
      try throwing { g_socket_connect(socket, target, nil, &$0) }
    } catch  where error.isIO(G_IO_ERROR_CONNECTION_REFUSED) || error.isIO(G_IO_ERROR_NOT_FOUND) {
      unlink(path)
      return
    } catch {
      throw ListenFailure.inUse(address)
    }
    throw ListenFailure.inUse(address)
  }
}

extension GLibError {
  /// Whether it is this one of GIO's errors.
  func isIO(_ code: GIOErrorEnum) -> Bool {
    domain == String(cString: g_quark_to_string(g_io_error_quark())) && self.code == Int(code.rawValue)
  }
}
