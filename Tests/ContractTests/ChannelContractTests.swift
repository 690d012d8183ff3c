import HTTPModel
import Synchronization
import Testing
import WebViewAPI
import WebViewCore

/// The channel against the AsyncAPI document.
@Suite struct ChannelContractTests {
  static let contract = Contract.asyncAPI
  static let controllerID = ControllerID(text: "q3T9kZ0vXb2LwR7yN5aJ1c")

  struct Example: Sendable, CustomTestStringConvertible {
    let message: String
    let name: String
    let payload: JSONValue
    var testDescription: String { "\(message) \(name)" }
  }

  private static func examples(_ names: [String]) -> [Example] {
    names.flatMap { name in
      (contract.document["components"]?["messages"]?[name]?["examples"]?.elements ?? []).map {
        Example(message: name, name: $0["name"]?.text ?? "", payload: $0["payload"] ?? .null)
      }
    }
  }

  @Test(arguments: examples(["call", "subscribe", "claim", "cancel"]))
  func `examples of what clients send decode`(example: Example) throws {
    let message = try ChannelMessage.decode(JSONWriter.text(example.payload))
    #expect(message.id == example.payload["id"])
    #expect(message.method == example.payload["method"]?.text)
    #expect(.object(message.params) == example.payload["params"] ?? [:])
  }

  @Test(arguments: examples(["call"]))
  func `examples of calls are inputs of their operation`(example: Example) async throws {
    let message = try ChannelMessage.decode(JSONWriter.text(example.payload))
    let operation = try #require(OperationTable.all.first { $0.id == message.method })
    let input = try OperationInput(body: message.params, reach: Self.controllerID)
    try operation.check(input, await TestServices.context())
  }

  @Test func `the channel's own methods are documented, and those that are reserved are told`() {
    let prose = Self.contract.document["info"]?["description"]?.text ?? ""
    for method in ChannelMethod.allCases {
      let isDocumented = !Self.examples([method.rawValue]).isEmpty
      #expect(isDocumented || prose.contains("`\(method.rawValue)`"), "\(method)")
    }
  }

  @Test func `what the server sends on a channel has a documented form`() async throws {
    let handler = await TestServices.handler()
    let head = HTTPRequestHead(
      method: .get, path: "/v1/channel",
      headers: ["Host": "127.0.0.1:7788", "Upgrade": "websocket", "Connection": "Upgrade"])
    guard case .upgrade(_, _, let session) = handler.admit(head) else {
      Issue.record("no upgrade")
      return
    }
    let connection = RecordingConnection()
    session.opened(connection)
    var messages = connection.messages.makeAsyncIterator()
    // The first message is `hello`; then each of these is answered by one response.
    let sent = [
      #"{"id": 1, "method": "subscribe"}"#,
      #"{"id": "two", "method": "claim", "params": {"kinds": ["scriptMessage"]}}"#,
      #"{"id": 3, "method": "cancel", "params": {"id": 99}}"#, #"{"id": 4, "method": "getCapabilities"}"#,
      #"{"id": 5, "method": "noSuchMethod"}"#,
      #"{"id": 6, "method": "getState", "params": {"controllerId": "none"}}"#,
      #"{"id": 7, "method": "attach", "params": {"mode": "watch"}}"#, "no JSON",
    ]
    for text in sent { session.received(.text(text)) }
    var types: [String] = []
    while types.count(where: { $0 == "response" }) < sent.count {
      let text = try #require(await messages.next())
      let value = try JSONParser.parse(text)
      let type = try #require(value["type"]?.text)
      types.append(type)
      let schema = Self.contract.schema(type.prefix(1).uppercased() + type.dropFirst() + "Message")
      #expect(schema != .null, "\(type) is documented")
      #expect(JSONSchema(contract: Self.contract).violations(of: value, against: schema) == [], "\(text)")
    }
    #expect(types.first == "hello")
    session.closed(code: 1000)
  }
}

/// Keeps what is sent.
private final class RecordingConnection: WebSocketConnection {
  let messages: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (messages, continuation) = AsyncStream.makeStream() }

  func send(_ message: WebSocketMessage) {
    if case .text(let text) = message { continuation.yield(text) }
  }
  func close(code: Int, reason: String) { continuation.finish() }
  var bufferedAmount: Int { 0 }
  func onDrain(_ body: @escaping @Sendable () -> Void) {}
}
