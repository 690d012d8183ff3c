import Foundation
import Glibc

/// A listening socket on a loopback port, with a thread for each connection.
struct LoopbackListener: Sendable {
  struct Failure: Error {}

  let port: UInt16

  /// - Parameter serve: has the connection until it returns.
  init(serve: @escaping @Sendable (Int32) -> Void) throws {
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw Failure() }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        Thread.detachNewThread {
          serve(connection)
          // A process that is started meanwhile may hold a copy of the descriptor: the connection ends all the same.
          shutdown(connection, Int32(SHUT_RDWR))
          close(connection)
        }
      }
    }
  }

  /// The next request's head on the connection; nil at its end. `received` keeps what came too early.
  static func head(from connection: Int32, _ received: inout [UInt8]) -> String? {
    let end = Array("\r\n\r\n".utf8)
    while received.firstRange(of: end) == nil {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
    let length = received.firstRange(of: end)!.upperBound
    defer { received.removeSubrange(..<length) }
    return String(decoding: received[..<length], as: UTF8.self)
  }

  /// False: it does not come.
  static func skipBody(of head: String, from connection: Int32, _ received: inout [UInt8]) -> Bool {
    let field = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    let length = field.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
    while received.count < length {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      received += buffer[..<count]
    }
    received.removeFirst(length)
    return true
  }

  static func path(of head: String) -> String {
    String(head.split(separator: " ", maxSplits: 2).dropFirst().first ?? "/")
  }

  static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
