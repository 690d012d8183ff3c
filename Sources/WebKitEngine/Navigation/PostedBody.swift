import GLibBridge

/// What a POST is sent with, as a file that WebKit's processes can open.
final class PostedBody: Sendable {
  let size: Int
  private let file: MemoryFile

  /// nil: the system has no room for it.
  init?(_ bytes: [UInt8]) {
    guard let file = MemoryFile(name: "posted-body", bytes) else { return nil }
    size = bytes.count
    self.file = file
  }

  var path: String { file.path }
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
