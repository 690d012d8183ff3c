import CGLib
import Glibc

/// A file that other processes can open and no disk has.
public final class MemoryFile: Sendable {
  private let descriptor: Int32

  /// nil: the system has no room for it.
  /// - Parameter name: for people who look at the process.
  public init?(name: String, _ bytes: [UInt8] = []) {
    descriptor = webview_memory_file(name)
    guard descriptor >= 0, write(bytes) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// While this lives.
  public var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

  /// At its end. False: there is no room.
  private func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
