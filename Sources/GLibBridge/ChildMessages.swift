import CGLib
import Glibc

/// What a child writes to its standard error, line by line.
final class ChildMessages {
  private static let lineLimit = 4096

  private let descriptor: Int32
  private let onMessage: (String) -> Void
  private var line: [UInt8] = []
  private var lastLine: String?
  private var source: LoopSource?

  /// Takes over the reading end of a pipe.
  init(owning descriptor: Int32, _ onMessage: @escaping (String) -> Void) {
    self.descriptor = descriptor
    self.onMessage = onMessage
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Reads on this thread's loop until the child is gone; a full pipe would stop the child. It keeps itself.
  func watch() {
    source = LoopSource.descriptor(descriptor, .readable) { [self] _ in
      if read() { return true }
      source = nil
      return false
    }
  }

  /// The last line so far: for a child that has ended, its last.
  func last() -> String? {
    _ = read()
    endLine()
    return lastLine
  }

  /// False at the end.
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      guard count > 0 else {
        endLine()
        return false
      }
      for byte in buffer[..<count] {
        if byte == UInt8(ascii: "\n") { endLine() } else if line.count < Self.lineLimit { line.append(byte) }
      }
    }
  }

  private func endLine() {
    defer { line.removeAll() }
    let text = String(decoding: line, as: UTF8.self)
    guard !text.allSatisfy(\.isWhitespace) else { return }
    lastLine = text
    onMessage(text)
  }
}
