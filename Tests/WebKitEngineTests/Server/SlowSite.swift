import Foundation
import Glibc

/// A site that is slow, rude or both. What an address is answered with stands in its path, how long that takes in
/// its query; each document has its own path and query as its title.
struct SlowSite: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case fast, slowHead, slowBody, slowImage, redirect, redirectToOtherHost, reset, resetInBody, closed
    case noContent, notFound, download, otherGroup, otherGroupSlowly, scriptRedirect, metaRedirect, asksToStay
  }

  private let listener: LoopbackListener
  /// Nobody listens there.
  private let silentPort: UInt16

  init() throws {
    listener = try LoopbackListener { connection in
      var received: [UInt8] = []
      while let head = LoopbackListener.head(from: connection, &received) {
        guard LoopbackListener.skipBody(of: head, from: connection, &received),
          Self.answer(LoopbackListener.path(of: head), on: connection),
          // What follows the head of an answer to HEAD is nobody's.
          !head.hasPrefix("HEAD ")
        else { return }
      }
    }
    let closed = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Bound and never listened on: refused, and nobody else's.
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(closed, $0, length) == 0 && getsockname(closed, $0, &length) == 0
      }
    }
    guard isBound else { throw LoopbackListener.Failure() }
    silentPort = UInt16(bigEndian: address.sin_port)
  }

  var refused: String { "http://127.0.0.1:\(silentPort)/" }

  /// A browsing context group is only changed where a page is secure, which by its name localhost is.
  func url(_ kind: Kind, number: Int, delay: Int = 0, host: String = "localhost") -> String {
    "http://\(host):\(listener.port)/\(kind.rawValue)?n=\(number)&d=\(delay)"
  }

  private static let ownGroup = "Cross-Origin-Opener-Policy: same-origin"

  private static func answer(_ path: String, on connection: Int32) -> Bool {
    let parts = path.split(separator: "?", maxSplits: 1)
    let query = parts.count > 1 ? String(parts[1]) : ""
    let delay = query.split(separator: "&").first { $0.hasPrefix("d=") }.flatMap { Int($0.dropFirst(2)) } ?? 0
    func pause() { usleep(UInt32(delay) * 1000) }
    func send(_ text: String) -> Bool { LoopbackListener.write(Array(text.utf8), to: connection) }
    func head(_ status: String = "200 OK", type: String = "text/html", length: Int, _ more: String...)
      -> String
    {
      (["HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(length)"] + more)
        .joined(separator: "\r\n") + "\r\n\r\n"
    }
    func document(_ body: String = "", status: String = "200 OK", header: String = "X: y") -> Bool {
      let text = "<!doctype html><title>\(path)</title>\(body)<a id=l href='/fast?n=l'>l</a>"
      return send(head(status, length: text.utf8.count, header) + text)
    }
    func inTwo(header: String = "X: y") -> Bool {
      let first = "<!doctype html><title>\(path)</title>" + String(repeating: " ", count: 1500)
      guard send(head(length: first.utf8.count + 4, header) + first) else { return false }
      pause()
      return send("last")
    }
    func reset() -> Bool {
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
      return false
    }
    switch SlowSite.Kind(rawValue: String(parts.first?.dropFirst() ?? "")) {
    case .fast, nil: return document()
    case .slowHead:
      pause()
      return document()
    case .slowBody: return inTwo()
    case .slowImage: return document("<img src='/slowHead?\(query)'>")
    case .redirect:
      pause()
      return send(head("302 Found", length: 0, "Location: /slowHead?\(query)"))
    case .redirectToOtherHost:
      return send(
        head("302 Found", length: 0, "Location: http://127.0.0.1:\(port(of: connection))/fast?\(query)"))
    case .reset:
      pause()
      return reset()
    case .resetInBody:
      _ = send(
        head(length: 5000) + "<!doctype html><title>\(path)</title>" + String(repeating: " ", count: 2000))
      pause()
      return reset()
    case .closed:
      pause()
      return false
    case .noContent:
      pause()
      return send("HTTP/1.1 204 No Content\r\n\r\n")
    case .notFound: return document(status: "404 Not Found")
    case .download: return send(head(type: "application/octet-stream", length: 1) + "x")
    case .otherGroup: return document(header: Self.ownGroup)
    case .otherGroupSlowly: return inTwo(header: Self.ownGroup)
    case .scriptRedirect: return document("<script>location.href='/slowHead?\(query)'</script>")
    case .metaRedirect: return document("<meta http-equiv=refresh content='0;url=/fast?\(query)'>")
    case .asksToStay:
      return document("<script>onbeforeunload = e => { e.preventDefault(); return 'x' }</script>")
    }
  }

  private static func port(of connection: Int32) -> UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(connection, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
