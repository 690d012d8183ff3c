/// Where a server is to listen: `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`; port 0 picks a free one.
public enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
  case tcp(host: String, port: UInt16)
  case unix(path: String)

  public struct Malformed: Error, Equatable, CustomStringConvertible {
    public let text: String
    public var description: String {
      "'\(text)' is no address: give HOST:PORT, [IPV6]:PORT or unix:PATH, such as 127.0.0.1:7788"
    }
  }

  public init(parsing text: String) throws(Malformed) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      // sun_path holds 108 bytes with its NUL.
      guard !path.isEmpty, path.utf8.count < 108 else { throw Malformed(text: text) }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { throw Malformed(text: text) }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits)
    else { throw Malformed(text: text) }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw Malformed(text: text)
    }
    guard !host.isEmpty, !host.contains(where: { "[]/ ".contains($0) }) else { throw Malformed(text: text) }
    self = .tcp(host: String(host), port: port)
  }

  /// Only this machine can connect.
  public var isLoopback: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host == "localhost" || SocketAddress.isLoopbackLiteral(host)
    }
  }

  public var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}

/// Where it listens, with the real port.
public struct BoundAddress: Sendable, Equatable, CustomStringConvertible {
  public let address: ListenAddress
  public let isSecure: Bool

  /// `http://127.0.0.1:7788`, `https://[::1]:7788` or `unix:/path`.
  public var description: String {
    switch address {
    case .tcp: "\(isSecure ? "https" : "http")://\(address)"
    case .unix: address.description
    }
  }
  /// nil for a unix socket.
  public var port: UInt16? {
    if case .tcp(_, let port) = address { port } else { nil }
  }
}
