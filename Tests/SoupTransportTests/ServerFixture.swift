import Foundation
import HTTPModel
import SoupTransport
import Synchronization
import Testing

/// A handler out of closures; the admitted value is the head.
struct ScriptedHandler: HTTPHandler {
  var limit = 1 << 20
  var admitting: (@Sendable (HTTPRequestHead) -> HTTPAdmission<HTTPRequestHead>)?
  var responding: @Sendable (HTTPRequestHead, [UInt8]) async -> HTTPResponse = { _, _ in .text("hello") }

  func admit(_ head: HTTPRequestHead) -> HTTPAdmission<HTTPRequestHead> {
    admitting?(head) ?? .respond(head, bodyLimit: limit)
  }
  var malformedAnswer: HTTPResponse {
    HTTPResponse(
      status: 400, headers: ["Content-Type": "text/x-malformed"], body: .bytes(Array("malformed".utf8)))
  }
  func respond(to admitted: HTTPRequestHead, body: [UInt8]) async -> HTTPResponse {
    await responding(admitted, body)
  }
  func refuse(_ admitted: HTTPRequestHead, problem: HTTPBodyProblem) -> HTTPResponse {
    switch problem {
    case .tooLarge(let limit): .text("limit \(limit)", status: 413)
    case .malformedEncoding: .text("malformed", status: 400)
    case .unsupportedEncoding(let name): .text("no \(name)", status: 415)
    case .tooSlow: .text("slow", status: 408)
    case .malformedFraming: .text("no chunks", status: 400)
    }
  }
}

extension ScriptedHandler {
  /// Answers no sooner than its task is cancelled.
  static func hanging(begun: Event<Void>, cancelled: Event<Void>) -> ScriptedHandler {
    ScriptedHandler(responding: { _, _ in
      begun.happen()
      await withTaskCancellationHandler {
        await cancelled.value
      } onCancel: {
        cancelled.happen()
      }
      return .text("too late")
    })
  }
}

extension HTTPResponse {
  static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "text/plain"], body: .bytes(Array(text.utf8)))
  }
}

/// Happens once; everybody who waits for it goes on.
final class Event<Value: Sendable>: Sendable {
  private enum State {
    case waiting([CheckedContinuation<Value, Never>])
    case happened(Value)
  }
  private let state = Mutex(State.waiting([]))

  func happen(_ value: Value) {
    let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
      guard case .waiting(let waiting) = state else { return [] }
      state = .happened(value)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value: Value? = state.withLock { state in
          switch state {
          case .happened(let value): return value
          case .waiting(let others):
            state = .waiting(others + [continuation])
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

extension Event where Value == Void {
  func happen() { happen(()) }
}

extension TransportOptions {
  static func with(_ adjust: (inout TransportOptions) -> Void) -> TransportOptions {
    var options = TransportOptions()
    options.lingerTimeout = .milliseconds(500)
    adjust(&options)
    return options
  }
}

/// Starts a server on a free port, and stops it.
func withServer<Result: Sendable>(
  _ handler: some HTTPHandler, on address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
  options: TransportOptions = .with { _ in },
  _ body: (SoupHTTPServer, BoundAddress) async throws -> Result
) async throws -> Result {
  let server = SoupHTTPServer(handler: handler, options: options)
  let bound = try await server.listen(on: address)
  do {
    let result = try await body(server, bound)
    await server.stop(drain: .seconds(5))
    return result
  } catch {
    await server.stop(drain: .zero)
    throw error
  }
}

/// Comes true within 20 s, or the test fails.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async -> Bool
) async {
  let deadline = ContinuousClock.now + .seconds(20)
  while ContinuousClock.now < deadline {
    if await condition() { return }
    await Task.yield()
  }
  Issue.record(what, sourceLocation: sourceLocation)
}

/// `#expect(try …)` does not make a closure a throwing one; this does.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(value == expected, sourceLocation: sourceLocation)
}
