import HTTPModel
import Synchronization
import Testing
import WebViewCore

@testable import WebViewAPI

/// The transport's side of a channel, in memory: what was sent can be waited for.
final class StubConnection: WebSocketConnection {
  private struct State {
    var messages: [JSONObject] = []
    var closed: (code: Int, reason: String)?
    var buffered = 0
    var drain: [@Sendable () -> Void] = []
    var waiters: [(@Sendable ([JSONObject], Int?) -> Bool, CheckedContinuation<Void, Never>)] = []
  }
  private let state = Mutex(State())

  func send(_ message: WebSocketMessage) {
    guard case .text(let text) = message, let object = (try? JSONParser.parse(text))?.object else {
      Issue.record("not a JSON object: \(message)")
      return
    }
    change { $0.messages.append(object) }
  }
  func close(code: Int, reason: String) { change { $0.closed = (code, reason) } }
  var bufferedAmount: Int { state.withLock { $0.buffered } }
  func onDrain(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.drain.append(body) } }

  func setBuffered(_ bytes: Int) {
    let drain = state.withLock { state in
      state.buffered = bytes
      return bytes == 0 ? state.drain : []
    }
    for body in drain { body() }
  }

  private func change(_ body: (inout State) -> Void) {
    let ready = state.withLock { state in
      body(&state)
      let split = state.waiters.partition { waiter in waiter.0(state.messages, state.closed?.code) }
      let ready = Array(state.waiters[split...])
      state.waiters.removeSubrange(split...)
      return ready
    }
    for waiter in ready { waiter.1.resume() }
  }

  var messages: [JSONObject] { state.withLock { $0.messages } }
  var closeCode: Int? { state.withLock { $0.closed?.code } }

  /// Returns once what was sent fulfils the condition.
  func until(_ condition: @escaping @Sendable ([JSONObject], Int?) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if condition(state.messages, state.closed?.code) { return true }
        state.waiters.append((condition, continuation))
        return false
      }
      if isNow { continuation.resume() }
    }
  }

  func response(_ id: Int) async -> JSONObject {
    await until { messages, _ in messages.contains { $0.isResponse(id) } }
    return messages.first { $0.isResponse(id) } ?? [:]
  }
  func index(where condition: (JSONObject) -> Bool) -> Int? { messages.firstIndex(where: condition) }
}

extension JSONObject {
  func isResponse(_ id: Int) -> Bool { self["type"]?.text == "response" && self["id"]?.integer == id }
  func isEvent(_ type: String) -> Bool {
    self["type"]?.text == "event" && self["event"]?.object?["type"]?.text == type
  }
  var errorCode: String? { self["error"]?.object?["code"]?.text }
}

/// A channel that was upgraded through `admit`.
struct TestChannel {
  let session: any WebSocketSession
  let connection = StubConnection()

  static func open(_ server: TestServer, _ path: String, headers: HTTPHeaders = [:]) throws -> TestChannel {
    guard case .upgrade(_, _, let session) = server.handler.admit(head(path, headers)) else {
      throw ServiceError(.internalError, "no upgrade")
    }
    let channel = TestChannel(session: session)
    session.opened(channel.connection)
    return channel
  }

  static func head(_ target: String, _ more: HTTPHeaders = [:]) -> HTTPRequestHead {
    let parts = target.split(separator: "?", maxSplits: 1).map { String($0) }
    var headers: HTTPHeaders = ["Host": "localhost", "Upgrade": "websocket", "Connection": "Upgrade"]
    for field in more { headers[field.name] = field.value }
    return HTTPRequestHead(
      method: .get, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers)
  }

  func send(_ text: String) { session.received(.text(text)) }
}
