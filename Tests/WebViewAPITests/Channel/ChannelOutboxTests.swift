import Testing
import WebViewCore

@testable import WebViewAPI

@Suite struct ChannelOutboxTests {
  private func entry(_ sequence: Int, _ type: EventType) -> JournalEntry {
    JournalEntry(sequence: sequence, controllerID: ControllerID(text: "c"), event: ControllerEvent(type))
  }
  private func open() -> (ChannelOutbox, StubConnection) {
    let outbox = ChannelOutbox()
    let connection = StubConnection()
    outbox.open(connection)
    return (outbox, connection)
  }

  @Test("A slow reader loses stateChange events, and is told which before the next message")
  func slowReader() {
    let (outbox, connection) = open()
    connection.setBuffered(ChannelOutbox.softLimit + 1)
    outbox.send(entry(1, .stateChange))
    outbox.send(entry(2, .stateChange))
    #expect(connection.messages.isEmpty)
    outbox.send(entry(3, .loadFinish))
    #expect(connection.messages.map { $0["type"]?.text } == ["gap", "event"])
    #expect(connection.messages[0]["from"]?.integer == 1 && connection.messages[0]["to"]?.integer == 2)
  }

  @Test("Once the reader caught up the gap is told without waiting for an event")
  func drained() {
    let (outbox, connection) = open()
    connection.setBuffered(ChannelOutbox.softLimit + 1)
    outbox.send(entry(5, .stateChange))
    connection.setBuffered(0)
    #expect(connection.messages.map { $0["type"]?.text } == ["gap"])
    outbox.send(entry(6, .stateChange))
    #expect(connection.messages.count == 2)
  }

  @Test("A reader that is slower still is let go with 1013, and nothing follows")
  func tooSlow() {
    let (outbox, connection) = open()
    connection.setBuffered(ChannelOutbox.hardLimit + 1)
    outbox.send(entry(1, .loadFinish))
    #expect(connection.closeCode == 1013)
    connection.setBuffered(0)
    outbox.send(["type": "heartbeat"])
    #expect(connection.messages.isEmpty)
  }

  @Test("A large answer that was asked for is not slowness")
  func largeAnswer() {
    let (outbox, connection) = open()
    let size = ChannelOutbox.hardLimit * 2
    outbox.send(
      ["type": "response", "id": 1, "result": .string(String(repeating: "x", count: size))], mayBeLarge: true)
    connection.setBuffered(size)
    outbox.send(entry(1, .stateChange))
    outbox.send(entry(2, .loadFinish))
    #expect(connection.messages.count == 3)
    #expect(connection.closeCode == nil)
  }

  @Test("One who asks on without reading is let go, though nothing happens")
  func asksWithoutReading() {
    let (outbox, connection) = open()
    connection.setBuffered(ChannelOutbox.hardLimit)
    outbox.send(["type": "response", "id": 1], mayBeLarge: true)
    #expect(connection.closeCode == nil)
    connection.setBuffered(ChannelOutbox.hardLimit + 100)
    outbox.send(["type": "response", "id": 2], mayBeLarge: true)
    #expect(connection.closeCode == 1013)
    #expect(connection.messages.count == 1)
  }
}
