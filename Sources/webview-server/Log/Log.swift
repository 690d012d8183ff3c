import Dispatch
import Glibc
import Synchronization

/// The log on standard error. Lines are formed and written on a queue of its own: a reader that stalls
/// never holds up a page or a request.
final class Log: Sendable {
  private let format: LogFormat
  private let level: LogLevel
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "log")
  private struct Backlog {
    var lines: [LogLine] = []
    var dropped = 0
    var isScheduled = false
  }
  private let backlog = Mutex(Backlog())

  /// Lines that may wait for a stalled reader before further ones are dropped (and counted).
  private static let maximumWaiting = 10_000
  /// Lines of requests are written together: waking a thread for each would cost as much as a small request.
  private static let collectingTime = DispatchTimeInterval.milliseconds(20)

  init(format: LogFormat, level: LogLevel, descriptor: Int32 = STDERR_FILENO) {
    self.format = format
    self.level = level
    self.descriptor = descriptor
  }

  func isEnabled(_ level: LogLevel) -> Bool { level <= self.level }

  func write(_ level: LogLevel, _ message: String, _ fields: (name: String, value: LogLine.Value)...) {
    write(level, message, fields: fields)
  }

  func write(_ level: LogLevel, _ message: String, fields: [(name: String, value: LogLine.Value)]) {
    guard isEnabled(level) else { return }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let line = LogLine(time: time, level: level, message: message, fields: fields)
    let isFirst = backlog.withLock { backlog in
      guard backlog.lines.count < Self.maximumWaiting else {
        backlog.dropped += 1
        return false
      }
      backlog.lines.append(line)
      defer { backlog.isScheduled = true }
      return !backlog.isScheduled
    }
    if level <= .warning {
      queue.async { self.drain() }
    } else if isFirst {
      queue.asyncAfter(deadline: .now() + Self.collectingTime) { self.drain() }
    }
  }

  /// Returns when everything before it was written, or after `seconds`: a stalled reader must not keep the
  /// program from ending.
  func flush(seconds: Double = 1) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.drain()
      done.signal()
    }
    _ = done.wait(timeout: .now() + seconds)
  }

  /// On the queue.
  private func drain() {
    let taken = backlog.withLock { backlog in
      defer { backlog = Backlog() }
      return backlog
    }
    guard let last = taken.lines.last else { return }
    put(taken.lines.flatMap { $0.bytes(format) })
    guard taken.dropped > 0 else { return }
    let notice = LogLine(
      time: last.time, level: .warning, message: "log lines were dropped, their reader is too slow",
      fields: [("count", .integer(taken.dropped))])
    put(notice.bytes(format))
  }

  private func put(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        guard errno == EINTR || errno == EAGAIN else { return }
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&poller, 1, 1_000)
        continue
      }
      rest = rest.dropFirst(count)
    }
  }
}
