import CSoup
import GLibBridge
import Glibc
import HTTPModel
import Synchronization

/// A WebSocket over a connection taken from libsoup: frames in, frames out, pings, the closing handshake.
@TransportActor
final class SoupWebSocket: WebSocketConnection, ConnectionOwner {
  private enum Phase {
    case open
    /// We said close; the peer has until then to say it too.
    case closing(code: Int, until: Int64)
    case over
  }

  /// Once what was handed over before is on its way, how long a peer may take to answer a close frame.
  private static let closeTimeout: Int64 = 5_000_000
  /// Unsent bytes the kernel takes at a time: more would hide from `bufferedAmount`.
  private static let kernelShare = 128 << 10

  private let connection: ClientConnection
  /// Owned until handed over.
  private let stream: UnsafeMutablePointer<GIOStream>
  private let input: OpaquePointer
  private let target: OpaquePointer
  private let session: any WebSocketSession
  private let limit: Int
  private var decoder: WebSocketDecoder
  private var phase = Phase.open
  private var readable: LoopSource?
  private var writable: LoopSource?
  private var output: [UInt8] = []
  private var written = 0
  private var nextPing: Int64
  /// Of the last ping that came while much was unread.
  private var owedPong: [UInt8]?
  private var unansweredPings = 0
  private nonisolated let outbox = WebSocketOutbox()

  /// Takes over the reference to `stream`.
  init(_ connection: ClientConnection, owning stream: UnsafeMutablePointer<GIOStream>, _ offer: UpgradeOffer)
  {
    self.connection = connection
    self.stream = stream
    input = OpaquePointer(g_io_stream_get_input_stream(stream)!)
    target = OpaquePointer(g_io_stream_get_output_stream(stream)!)
    session = offer.session
    limit = offer.maximumMessageBytes
    decoder = WebSocketDecoder(maximumMessageBytes: limit)
    nextPing = Clock.now + connection.server.timing.heartbeat
    var lowWater = Int32(Self.kernelShare)
    // Polls as writable only below this much unsent: a no-op on unix sockets.
    setsockopt(
      connection.descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &lowWater,
      socklen_t(MemoryLayout<Int32>.size))
  }

  func open() {
    connection.enter(.handedOver(self))
    session.opened(self)
    guard !isOver else { return }
    readable = LoopSource.descriptor(connection.descriptor, .readable) { [weak self] _ in
      TransportActor.assumeIsolated {
        guard let self else { return false }
        self.read()
        return !self.isOver
      }
    }
    if connection.server.isDraining { drain() }
    // What came along with the handshake is in the stream's buffer, where no poll sees it.
    read()
  }

  private var isOver: Bool { if case .over = phase { true } else { false } }

  // MARK: From any thread

  nonisolated func send(_ message: WebSocketMessage) { put(.message(message)) }
  nonisolated func close(code: Int, reason: String) { put(.close(code: code, reason: reason)) }
  nonisolated var bufferedAmount: Int { outbox.bytes }
  nonisolated func onDrain(_ body: @escaping @Sendable () -> Void) { outbox.onDrain(body) }

  private nonisolated func put(_ item: WebSocketOutbox.Item) {
    // One wake-up for all that is sent before the loop comes to it: they go out in one write.
    if outbox.put(item) { TransportActor.loop.post { TransportActor.assumeIsolated { self.flush() } } }
  }

  // MARK: Out

  private func flush() {
    outbox.beginFlush()
    guard writable == nil else { return }
    writeSome()
  }

  private func writeSome() {
    var share = Self.kernelShare
    while !isOver {
      fill()
      guard written < output.count else { break }
      guard share > 0 else { return awaitWritable() }
      let part = min(output.count - written, share)
      let result = output.withUnsafeBytes { bytes in
        NonblockingStream.write(target, UnsafeRawBufferPointer(rebasing: bytes[written..<(written + part)]))
      }
      switch result {
      case .count(let count):
        written += count
        share -= count
      case .wouldBlock: return awaitWritable()
      case .failed: return end(code: 1006)
      }
    }
    guard !isOver else { return }
    outbox.wrote(unsent: 0)
  }

  private func fill() {
    if written == output.count {
      output.removeAll(keepingCapacity: output.capacity <= 1 << 20)
      written = 0
      if let payload = owedPong { WebSocketEncoder.appendPong(payload, to: &output) }
      owedPong = nil
    } else if written > 1 << 20, written > output.count / 2 {
      // A reader that is always a little behind never empties it.
      output.removeSubrange(..<written)
      written = 0
    }
    while output.count - written < Self.kernelShare, case .open = phase, let item = outbox.take() {
      switch item {
      case .message(let message): WebSocketEncoder.append(message, to: &output)
      case .close(let code, let reason): sayClose(code, reason)
      }
    }
  }

  private func awaitWritable() {
    outbox.wrote(unsent: output.count - written)
    guard writable == nil else { return }
    writable = LoopSource.descriptor(connection.descriptor, .writable) { [weak self] _ in
      TransportActor.assumeIsolated {
        self?.writable = nil
        self?.writeSome()
      }
      return false
    }
  }

  private func sayClose(_ code: Int, _ reason: String) {
    WebSocketEncoder.appendClose(code: code, reason: reason, to: &output)
    phase = .closing(code: code, until: Clock.now + Self.closeTimeout)
  }

  // MARK: In

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      // Bounded: other connections get their turn.
      for _ in 0..<16 where !isOver {
        switch NonblockingStream.read(input, into: buffer) {
        case .wouldBlock: return
        case .failed, .count(0): return end(code: 1006)
        case .count(let count): received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
      // The stream may hold decrypted bytes that no poll sees.
      if !isOver { TransportActor.loop.post { TransportActor.assumeIsolated { self.read() } } }
    }
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    var events: [WebSocketDecoder.Event] = []
    var failure: WebSocketDecoder.Failure?
    do {
      try decoder.feed(bytes, into: &events)
    } catch {
      failure = error
    }
    unansweredPings = 0
    for event in events where !isOver { handle(event) }
    if let failure, !isOver { fail(failure) }
  }

  private func handle(_ event: WebSocketDecoder.Event) {
    switch (event, phase) {
    case (.message(let message), .open): session.received(message)
    case (.ping(let payload), .open):
      // One who asks without reading is owed the last answer only (RFC 6455, 5.5.3).
      if output.count - written > Self.kernelShare {
        owedPong = payload
      } else {
        WebSocketEncoder.appendPong(payload, to: &output)
        flush()
      }
    case (.close(let code), .open):
      WebSocketEncoder.appendClose(code: code, to: &output)
      linger(code)
    case (.close(let code), .closing(let ours, _)): linger(code == 1005 ? ours : code)
    default: break
    }
  }

  private func fail(_ failure: WebSocketDecoder.Failure) {
    guard case .open = phase else { return linger(failure.closeCode) }
    if case .tooLarge(let limit) = failure {
      session.receivedTooLarge(limit: limit)
      // What the session had to say about it goes first.
      while case .message(let message) = outbox.take() { WebSocketEncoder.append(message, to: &output) }
    }
    WebSocketEncoder.appendClose(code: failure.closeCode, to: &output)
    linger(failure.closeCode)
  }

  // MARK: The end

  /// Writes what is left and closes; the session hears of it at once.
  private func linger(_ code: Int) {
    guard finish() else { return }
    LingeringClose(connection, owning: stream, sending: Array(output[written...]))
    session.closed(code: code)
  }

  private func end(code: Int) {
    guard finish() else { return }
    g_io_stream_close(stream, nil, nil)
    g_object_unref(stream)
    connection.closed()
    session.closed(code: code)
  }

  private func finish() -> Bool {
    guard !isOver else { return false }
    phase = .over
    readable = nil
    writable = nil
    outbox.end()
    return true
  }

  // MARK: The connection's owner

  func tick(_ now: Int64) {
    switch phase {
    case .closing(let code, let deadline):
      if now >= deadline { end(code: code) }
    case .open:
      if outbox.closeIsOverdue(now) { return end(code: 1006) }
      guard now >= nextPing else { return }
      guard unansweredPings < 2 else { return end(code: 1006) }
      unansweredPings += 1
      nextPing = now + connection.server.timing.heartbeat
      WebSocketEncoder.appendPing(to: &output)
      flush()
    case .over: break
    }
  }

  func forceClose() { end(code: 1006) }

  func drain() { close(code: 1001, reason: "the server stops") }
}
