import Glibc

/// An address to listen on, as `--listen` takes it.
enum ListenSetting: Sendable, Equatable {
  /// `host` is an IP address, without the brackets of IPv6.
  case tcp(host: String, port: Int)
  case unix(path: String)

  init(_ text: String) throws(UsageError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      // sockaddr_un holds 108 bytes with the final NUL.
      guard !path.isEmpty, path.utf8.count < 108 else {
        throw UsageError("'\(text)' needs a path of 1 to 107 bytes after unix:")
      }
      self = .unix(path: path)
      return
    }
    let wanted = "an address is HOST:PORT ('127.0.0.1:7788', '[::1]:7788', port 0 picks one) or unix:PATH"
    guard let colon = text.lastIndex(of: ":") else { throw UsageError("'\(text)' has no port; \(wanted)") }
    let portText = text[text.index(after: colon)...]
    guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(portText), port < 65_536 else {
      throw UsageError("'\(portText)' is no port from 0 to 65535; \(wanted)")
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard Self.isAddress(host, family: AF_INET6) else {
        throw UsageError("'\(host)' is no IPv6 address; \(wanted)")
      }
    } else if host == "localhost" {
      host = "127.0.0.1"
    } else if !Self.isAddress(host, family: AF_INET) {
      throw UsageError("'\(host)' is neither an IPv4 address, an IPv6 address in brackets nor localhost; \(wanted)")
    }
    self = .tcp(host: host, port: port)
  }

  /// Only this machine reaches it.
  var isLoopback: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host.hasPrefix("127.") || Self.isLoopbackIPv6(host)
    }
  }

  var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  private static func isAddress(_ text: String, family: Int32) -> Bool {
    var bytes = in6_addr()
    return inet_pton(family, text, &bytes) == 1
  }

  private static func isLoopbackIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
    return withUnsafeBytes(of: &address) { bytes in
      bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        // ::ffff:127.x.x.x is IPv4's loopback.
        || bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff && bytes[12] == 127
    }
  }
}
