import Foundation
import HTTPModel
import Synchronization
import Testing
import WebViewAPI
import WebViewCore
import WebViewTesting

/// The whole API on a stub engine, without sockets.
final class TestServer: Sendable {
  let engine = StubEngine()
  /// Of the tickets, which it alone makes older.
  let clock = ManualClock()
  let services: ServerServices
  let handler: APIHandler
  let faults = Mutex<[String]>([])
  let calls = Mutex<[APILog.Call]>([])

  @PageActor
  init(
    access: AccessPolicy = AccessPolicy(), limits: Limits = Limits(), node: String? = nil,
    readiness: Readiness.State = .ready, files: FilesDirectory? = nil
  ) {
    let events = EventService(limits: limits)
    let callbacks = CallbackBroker(limits: limits)
    let ready = Readiness()
    ready.become(readiness)
    services = ServerServices(
      controllers: ControllerService(
        engine: engine, stores: StubProfiles(), events: events, callbacks: callbacks, limits: limits,
        node: node, files: files),
      events: events, callbacks: callbacks, tickets: TicketOffice { [clock] in clock.date },
      server: ServerInformation(
        version: "1.2.3", node: node, startedAt: Date(), isTokenRequired: access.token != nil,
        engine: StubEngine.information),
      readiness: ready, limits: limits)
    let sinks = Sinks()
    handler = APIHandler(
      services: services, access: access,
      documents: APIDocuments(openAPI: Array("{\"openapi\":\"3.1.0\"}".utf8), asyncAPI: Array("{}".utf8)),
      log: APILog(
        call: { call in sinks.call.withLock { $0?(call) } },
        fault: { fault in sinks.fault.withLock { $0?(fault.description) } }))
    sinks.call.withLock { $0 = { [weak self] call in self?.calls.withLock { $0.append(call) } } }
    sinks.fault.withLock { $0 = { [weak self] text in self?.faults.withLock { $0.append(text) } } }
  }

  private final class Sinks: Sendable {
    let call = Mutex<(@Sendable (APILog.Call) -> Void)?>(nil)
    let fault = Mutex<(@Sendable (String) -> Void)?>(nil)
  }

  /// Through `admit` and, when admitted, `respond`.
  func send(
    _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = ["Host": "localhost:7788"],
    body: [UInt8] = [], type: String? = "application/json"
  ) async -> TestAnswer {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map {
      String($0)
    }
    var headers = headers
    if !body.isEmpty {
      headers["Content-Length"] = String(body.count)
      if let type { headers["Content-Type"] = type }
    }
    let head = HTTPRequestHead(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers)
    switch handler.admit(head) {
    case .refuse(let response): return TestAnswer(response)
    case .upgrade: return TestAnswer(HTTPResponse(status: 101))
    case .respond(let admitted, let limit):
      if body.count > limit { return TestAnswer(handler.refuse(admitted, problem: .tooLarge(limit: limit))) }
      return TestAnswer(await handler.respond(to: admitted, body: body))
    }
  }

  func send(_ method: HTTPMethod, _ target: String, json: String) async -> TestAnswer {
    await send(method, target, body: Array(json.utf8))
  }

  /// A controller with its page.
  func makeController(_ options: String = "{\"ephemeral\":true}") async throws -> (id: String, page: StubPage)
  {
    let answer = await send(.post, "/v1/controllers", json: options)
    let id = try #require(answer.object["id"]?.text, "\(answer)")
    let page = try #require(await engine.pages.last)
    return (id, page)
  }
}

struct TestAnswer: CustomStringConvertible {
  let response: HTTPResponse
  init(_ response: HTTPResponse) { self.response = response }
  var status: Int { response.status }
  var headers: HTTPHeaders { response.headers }
  var bytes: [UInt8] { if case .bytes(let bytes) = response.body { bytes } else { [] } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var object: JSONObject { (try? JSONParser.parse(bytes))?.object ?? [:] }
  var error: JSONObject { object["error"]?.object ?? [:] }
  var code: String? { error["code"]?.text }
  var details: JSONObject { error["details"]?.object ?? [:] }
  var description: String { "\(status) \(text)" }
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
  var integer: Int? { if case .number(let number) = self { number.integer } else { nil } }
}
