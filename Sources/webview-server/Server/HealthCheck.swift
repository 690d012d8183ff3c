import Glibc
import SoupTransport

/// `--check-health`: asks a running server over its own address.
enum HealthCheck {
  /// Seconds until a server that does not answer counts as ill.
  private static let timeout = 5

  enum Outcome: Equatable {
    case healthy
    case ill(String)
  }

  /// - Parameter isSecure: whether the server has a certificate; unix sockets are plain all the same.
  static func run(_ setting: ListenAddress, isSecure: Bool) -> Outcome {
    let descriptor: Int32
    var speaksTLS = isSecure
    switch setting {
    case .tcp(_, port: 0): return .ill("port 0 is not one to ask at: give --listen with the real port")
    case .tcp(let host, let port):
      // A server that listens everywhere is asked on loopback.
      let target = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
      descriptor = connect(host: target, port: port)
    case .unix(let path):
      descriptor = connect(path: path)
      speaksTLS = false
    }
    guard descriptor >= 0 else {
      return .ill("cannot connect to \(setting.description): \(String(cString: strerror(errno)))")
    }
    return speaksTLS
      ? askSecurely(descriptor, at: setting.description) : ask(descriptor, at: setting.description)
  }

  private static let request = Array(
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)

  private static func ask(_ descriptor: Int32, at name: String) -> Outcome {
    defer { close(descriptor) }
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      return .ill("\(name) does not take a request: \(String(cString: strerror(errno)))")
    }
    return outcome(at: name) {
      var buffer = [UInt8](repeating: 0, count: 1_024)
      return Array(buffer[..<max(0, recv(descriptor, &buffer, buffer.count, 0))])
    }
  }

  private static func askSecurely(_ descriptor: Int32, at name: String) -> Outcome {
    do {
      let client = try TLSClient(owning: descriptor, timeout: timeout)
      try client.write(request)
      return outcome(at: name) { (try? client.read()) ?? [] }
    } catch {
      return .ill("\(name) does not speak TLS: \(error.message)")
    }
  }

  private static func outcome(at name: String, read: () -> [UInt8]) -> Outcome {
    var answer: [UInt8] = []
    while answer.count < 12 {
      let part = read()
      guard !part.isEmpty else { return .ill("\(name) does not answer") }
      answer += part
    }
    let line = String(decoding: answer.prefix { $0 != 0x0d }, as: UTF8.self)
    guard line.hasPrefix("HTTP/1.1 200") else { return .ill("\(name) answers '\(line)'") }
    return .healthy
  }

  private static func connect(host: String, port: UInt16) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
      errno = EINVAL
      return -1
    }
    defer { freeaddrinfo(found) }
    return connect(found.pointee.ai_family, found.pointee.ai_addr, found.pointee.ai_addrlen)
  }

  private static func connect(path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func connect(_ family: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t)
    -> Int32
  {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    // On Linux the sending timeout bounds connect() too.
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard Glibc.connect(descriptor, address, length) == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return -1
    }
    return descriptor
  }
}
