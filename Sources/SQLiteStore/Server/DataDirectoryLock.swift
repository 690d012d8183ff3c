import Foundation
import WebViewCore

/// The right to use a data directory: a kernel lock that ends with the process, however it ends.
public final class DataDirectoryLock: Sendable {
  private let descriptor: Int32

  /// Throws `conflict` naming the holder when another process has it.
  public init(directory: String) throws(ServiceError) {
    let path = directory + "/lock"
    // O_CLOEXEC: a child that outlives the server must not hold the lock.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ServiceError(
        .unavailable, "Cannot open the lock file \(path): \(String(cString: strerror(errno))).")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.holder(descriptor)
      close(descriptor)
      throw ServiceError(
        .conflict,
        "The data directory \(directory) is in use by another webview-server\(holder). "
          + "Stop that one, or give this one a directory of its own with --data-dir.")
    }
    self.descriptor = descriptor
    ftruncate(descriptor, 0)
    let text = Array("\(getpid())\n".utf8)
    // The number is only a hint for people; the lock itself holds without it.
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit {
    // Closing alone is not enough: a child between fork and exec shares the lock for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func holder(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return "" }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).map { " (process \($0))" } ?? ""
  }
}
