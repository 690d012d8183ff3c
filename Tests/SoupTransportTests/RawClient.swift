import Dispatch
import Foundation
import Glibc
import SoupTransport

/// A plain blocking socket, so that tests see and send exactly these bytes. Every wait ends after 20 s.
final class RawClient: Sendable {
  struct Failure: Error { let text: String }
  let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  init(_ bound: BoundAddress) throws {
    switch bound.address {
    case .unix(let path):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      try Self.connect(descriptor, &address)
    case .tcp(let host, let port) where host.contains(":"):
      descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      try Self.connect(descriptor, &address)
    case .tcp(let host, let port):
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      try Self.connect(descriptor, &address)
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) throws {
    let result = withUnsafeBytes(of: &address) {
      Glibc.connect(
        descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<Address>.size))
    }
    guard result == 0 else { throw Failure(text: "connect: \(errno)") }
  }

  /// False when the peer would not take all of it.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Empty at the end of the stream.
  func receive(upTo limit: Int = 65536) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    guard count >= 0 else { throw Failure(text: "recv: \(errno)") }
    return Array(buffer[..<count])
  }

  func receiveToEnd() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let part = try receive()
      if part.isEmpty { return all }
      all += part
    }
  }

  func receiveText(until end: String) throws -> String {
    var all: [UInt8] = []
    // "\r\n" is one Character.
    while !all.suffix(end.utf8.count).elementsEqual(end.utf8) {
      let part = try receive(upTo: 1)
      if part.isEmpty { throw Failure(text: "ended after \(String(decoding: all, as: UTF8.self))") }
      all += part
    }
    return String(decoding: all, as: UTF8.self)
  }

  func receive(exactly count: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      let part = try receive(upTo: count - all.count)
      if part.isEmpty { throw Failure(text: "ended after \(all.count) of \(count) bytes") }
      all += part
    }
    return all
  }

  struct Response {
    var status: Int
    var head: String
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? {
      for line in head.components(separatedBy: "\r\n")
      where line.lowercased().hasPrefix(name.lowercased() + ": ") {
        return String(line.dropFirst(name.count + 2))
      }
      return nil
    }
  }

  /// One answer with a known length, or chunked.
  func response(hasBody: Bool = true) throws -> Response {
    let head = try receiveText(until: "\r\n\r\n")
    guard let status = Int(head.dropFirst("HTTP/1.1 ".count).prefix(3)) else { throw Failure(text: head) }
    var response = Response(status: status, head: head, body: [])
    guard hasBody else { return response }
    if let length = response.header("Content-Length").flatMap({ Int($0) }) {
      response.body = try receive(exactly: length)
    } else if response.header("Transfer-Encoding") == "chunked" {
      while true {
        let line = try receiveText(until: "\r\n")
        guard let count = Int(line.dropLast(), radix: 16) else { throw Failure(text: line) }
        response.body += try receive(exactly: count)
        _ = try receive(exactly: 2)
        if count == 0 { break }
      }
    }
    return response
  }

  func get(_ path: String, headers: String = "", method: String = "GET") throws -> Response {
    send("\(method) \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
    return try response(hasBody: method != "HEAD")
  }
}

/// Blocking work, off the cooperative pool.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
  }
}
