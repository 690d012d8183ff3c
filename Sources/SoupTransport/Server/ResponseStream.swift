import CSoup
import GLibBridge
import HTTPModel

/// A body that is written piece by piece: each `write` returns when its piece went out.
@TransportActor
final class ResponseStream: HTTPBodyWriter {
  struct ClientIsGone: Error {}
  private struct WrongLength: Error {}

  private weak var exchange: Exchange?
  private let length: Int?
  private var count = 0
  private var isOver = false
  /// In the order of their pieces.
  private var waiting: [CheckedContinuation<Void, any Error>] = []

  init(_ exchange: Exchange, length: Int?) {
    self.exchange = exchange
    self.length = length
    onSignal(exchange.message, "wrote-chunk") { [weak self] (_: OpaquePointer) in
      TransportActor.assumeIsolated { self?.wrote() }
    }
  }

  func run(_ producer: @escaping @Sendable (any HTTPBodyWriter) async throws -> Void) async {
    do {
      try await producer(self)
      if let length, count != length { throw WrongLength() }
      guard let exchange, !isOver else { return }
      if length == nil { soup_message_body_complete(body(of: exchange)) }
      exchange.connection.enter(.writing)
      exchange.resume()
    } catch {
      exchange?.abort()
    }
  }

  nonisolated func write(_ bytes: [UInt8]) async throws { try await append(bytes) }

  private func append(_ bytes: [UInt8]) async throws {
    guard let exchange, !isOver else { throw ClientIsGone() }
    try Task.checkCancellation()
    if bytes.isEmpty { return }
    count += bytes.count
    if let length, count > length { throw WrongLength() }
    exchange.bytesWritten = count
    let held = ByteBuffers.bytes(holding: bytes)
    soup_message_body_append_bytes(body(of: exchange), held)
    g_bytes_unref(held)
    exchange.connection.enter(.writing)
    try await withCheckedThrowingContinuation { continuation in
      waiting.append(continuation)
      exchange.resume()
    }
  }

  private func body(of exchange: Exchange) -> UnsafeMutablePointer<SoupMessageBody> {
    soup_server_message_get_response_body(exchange.message)
  }

  private func wrote() {
    guard !waiting.isEmpty else { return }
    let first = waiting.removeFirst()
    if waiting.isEmpty { exchange?.connection.enter(.answering) }
    first.resume()
  }

  func clientLeft() { ended() }

  func ended() {
    isOver = true
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume(throwing: ClientIsGone()) }
  }
}
