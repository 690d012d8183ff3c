import CWebKit
import Glibc

/// What a POST is sent with, as a file that WebKit's processes can open and no disk has.
final class PostedBody: Sendable {
  let size: Int
  private let descriptor: Int32

  /// nil: the system has no room for it.
  init?(_ bytes: [UInt8]) {
    size = bytes.count
    descriptor = webview_memory_file("posted-body")
    guard descriptor >= 0 else { return nil }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress! + written, bytes.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      written += count
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}

/// The bodies of a page's history, for as long as going to their entries may send them again.
struct PostedBodies {
  /// Of entries and bytes; the newest one stays, whatever its size.
  private static let limit = (count: 100, size: 256 << 20)
  private var bodies: [PostedBody] = []

  mutating func keep(_ body: PostedBody) {
    bodies.append(body)
    while bodies.count > 1, bodies.count > Self.limit.count || size > Self.limit.size { bodies.removeFirst() }
  }

  private var size: Int { bodies.reduce(0) { $0 + $1.size } }
}
