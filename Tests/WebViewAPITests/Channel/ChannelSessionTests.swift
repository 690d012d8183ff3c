import HTTPModel
import Testing
import WebViewCore

@testable import WebViewAPI

@Suite(.timeLimit(.minutes(1))) struct ChannelSessionTests {
  private func open(limits: Limits = Limits()) async throws -> (TestServer, String, StubPage, TestChannel) {
    let server = await TestServer(limits: limits)
    let (id, page) = try await server.makeController()
    let channel = try TestChannel.open(server, "/v1/controllers/\(id)/channel")
    await channel.connection.until { messages, _ in !messages.isEmpty }
    return (server, id, page, channel)
  }

  @Test("The first message is hello, with what a client needs to know")
  func hello() async throws {
    let (server, id, _, channel) = try await open()
    let hello = channel.connection.messages[0]
    #expect(hello["type"]?.text == "hello")
    #expect(hello["run"]?.text == server.services.events.run)
    #expect(hello["controllerId"]?.text == id)
    #expect(hello["heartbeat"]?.integer == 20)
    #expect(hello["maxMessageBytes"]?.integer == 16 << 20)
    #expect(hello["maxOpenRequests"]?.integer == 64)
    #expect(hello["sequence"]?.integer != nil)
    channel.session.closed(code: 1000)
  }

  @Test("Operations answer by operationId; the controller's id may be left out")
  func operations() async throws {
    let (_, id, _, channel) = try await open()
    channel.send(#"{"id":1,"method":"evaluateJavaScript","params":{"expression":"1+1"}}"#)
    #expect(await channel.connection.response(1)["result"] == ["result": 2])
    channel.send(#"{"id":2,"method":"getState","params":{"controllerId":"\#(id)"}}"#)
    #expect(await channel.connection.response(2)["result"]?.object?["isDisposed"] == false)
    channel.send(#"{"id":3,"method":"takeSnapshot"}"#)
    let picture = await channel.connection.response(3)["result"]?.object
    #expect(picture?["contentType"]?.text == "image/png")
    #expect(picture?["dataBase64"]?.text == "iVBORw==")
    channel.send(#"{"id":4,"method":"stopLoading"}"#)
    #expect(await channel.connection.response(4)["result"] == [:])
    channel.send(#"{"id":"five","method":"getHealth"}"#)
    await channel.connection.until { messages, _ in messages.contains { $0["id"]?.text == "five" } }
    channel.session.closed(code: 1000)
  }

  @Test("Each call has its line in the log, under an id of its own and without its parameters")
  func log() async throws {
    let (server, id, _, channel) = try await open()
    channel.send(#"{"id":1,"method":"evaluateJavaScript","params":{"expression":"secret"}}"#)
    _ = await channel.connection.response(1)
    channel.send(#"{"id":2,"method":"waitForLoad","params":{"navigationId":"n9"}}"#)
    _ = await channel.connection.response(2)
    while server.calls.withLock({ $0.count }) < 2 { await Task.yield() }
    let calls = server.calls.withLock { $0 }
    #expect(calls.map(\.operationID) == ["evaluateJavaScript", "waitForLoad"])
    #expect(calls.map(\.status) == [200, 404])
    #expect(calls.allSatisfy { $0.controllerID?.text == id })
    #expect(Set(calls.map(\.requestID)).count == 2)
    channel.session.closed(code: 1000)
  }

  @Test(
    "Bad messages are answered and the channel stays",
    arguments: [
      ("{", nil, "invalidArgument"), ("[]", nil, "invalidArgument"), (#"{"id":7}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"nothing"}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":1}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"getState","params":[]}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"getState","extra":1}"#, 7, "invalidArgument"),
      (#"{"id":{},"method":"getState"}"#, nil, "invalidArgument"),
      (#"{"id":7,"method":"getState","params":{"x":1}}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"openServerChannel"}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"getState","params":{"controllerId":"other"}}"#, 7, "forbidden"),
      (#"{"id":7,"method":"createController"}"#, 7, "forbidden"),
      (#"{"id":7,"method":"listServerEvents"}"#, 7, "forbidden"),
      (#"{"id":7,"method":"attach","params":{"mode":"watch"}}"#, 7, "unsupported"),
      (#"{"id":7,"method":"subscribe","params":{"events":["x"]}}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"claim","params":{"kinds":["x"]}}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"claim"}"#, 7, "invalidArgument"),
      (#"{"id":7,"method":"cancel"}"#, 7, "invalidArgument"),
      (#"{"method":"getState","params":{"x":1}}"#, nil, "invalidArgument"),
    ] as [(String, Int?, String)])
  func badMessages(text: String, id: Int?, code: String) async throws {
    let (_, _, _, channel) = try await open()
    channel.send(text)
    await channel.connection.until { messages, _ in messages.count >= 2 }
    let answer = channel.connection.messages[1]
    #expect(answer["type"]?.text == "response")
    #expect(answer.errorCode == code)
    if let id { #expect(answer["id"]?.integer == id) } else { #expect(answer["id"] == .null) }
    channel.send(#"{"id":8,"method":"getHealth"}"#)
    #expect(await channel.connection.response(8)["result"] == ["status": "ok"])
    #expect(channel.connection.closeCode == nil)
    channel.session.closed(code: 1000)
  }

  @Test("Binary messages are answered with what is expected")
  func binary() async throws {
    let (_, _, _, channel) = try await open()
    channel.session.received(.binary([1]))
    await channel.connection.until { messages, _ in messages.count >= 2 }
    #expect(channel.connection.messages[1].errorCode == "invalidArgument")
    channel.session.closed(code: 1000)
  }

  @Test("A load's events come before its response; without waiting the response comes before them")
  func order() async throws {
    let (_, _, _, channel) = try await open()
    channel.send(#"{"id":1,"method":"subscribe"}"#)
    #expect(await channel.connection.response(1)["result"]?.object?["state"]?.object?["url"] == .null)
    channel.send(#"{"id":2,"method":"loadURL","params":{"url":"http://localhost/a"}}"#)
    let loaded = await channel.connection.response(2)
    #expect(loaded["result"]?.object?["loaded"] == true)
    let finish = try #require(channel.connection.index { $0.isEvent("loadFinish") })
    #expect(finish < channel.connection.index { $0.isResponse(2) } ?? 0)
    let seen = channel.connection.messages.count
    channel.send(
      #"{"id":3,"method":"loadURL","params":{"url":"http://localhost/b","wait":{"event":"none"}}}"#)
    let started = await channel.connection.response(3)["result"]?.object
    #expect(started?["loaded"] == false && started?["accepted"] == true)
    let navigation = try #require(started?["navigation"]?.object?["id"]?.text)
    await channel.connection.until { messages, _ in
      messages.dropFirst(seen).contains { $0.isEvent("loadFinish") }
    }
    let response = try #require(channel.connection.index { $0.isResponse(3) })
    let first = try #require(
      channel.connection.index { $0["event"]?.object?["navigationId"]?.text == navigation })
    #expect(response < first)
    let sequences = channel.connection.messages.compactMap {
      $0["event"] == nil ? nil : $0["sequence"]?.integer
    }
    #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
    #expect(channel.connection.messages.filter { $0.isResponse(3) }.count == 1)
    channel.session.closed(code: 1000)
  }

  @Test("Subscribing with since replays what happened, before the answer, and an empty list ends it")
  func replay() async throws {
    let (_, _, _, channel) = try await open()
    channel.send(#"{"id":1,"method":"loadURL","params":{"url":"http://localhost/a"}}"#)
    _ = await channel.connection.response(1)
    #expect(channel.connection.index { $0["type"]?.text == "event" } == nil)
    channel.send(#"{"id":2,"method":"subscribe","params":{"since":0,"events":["loadStart","loadFinish"]}}"#)
    let answer = await channel.connection.response(2)
    let types = channel.connection.messages.compactMap { $0["event"]?.object?["type"]?.text }
    #expect(types == ["loadStart", "loadFinish"])
    #expect(answer["result"]?.object?["sequence"]?.integer != nil)
    channel.send(#"{"id":3,"method":"subscribe","params":{"events":[]}}"#)
    _ = await channel.connection.response(3)
    let count = channel.connection.messages.count
    channel.send(#"{"id":4,"method":"loadURL","params":{"url":"http://localhost/b"}}"#)
    _ = await channel.connection.response(4)
    #expect(channel.connection.messages.count == count + 1)
    channel.session.closed(code: 1000)
  }

  @Test("since of another run is a gap")
  func otherRun() async throws {
    let (_, _, _, channel) = try await open()
    channel.send(#"{"id":1,"method":"subscribe","params":{"since":5,"run":"another"}}"#)
    _ = await channel.connection.response(1)
    #expect(channel.connection.messages[1]["type"]?.text == "gap")
    channel.session.closed(code: 1000)
  }

  @Test("A cancelled request is answered once, as cancelled")
  func cancel() async throws {
    let (_, _, page, channel) = try await open()
    await Task { @PageActor in page.scriptResult = nil }.value
    channel.send(#"{"id":1,"method":"evaluateJavaScript","params":{"expression":"x"}}"#)
    channel.send(#"{"id":2,"method":"cancel","params":{"id":1}}"#)
    #expect(await channel.connection.response(2)["result"] == ["cancelled": true])
    #expect(await channel.connection.response(1).errorCode == "cancelled")
    channel.send(#"{"id":3,"method":"cancel","params":{"id":1}}"#)
    #expect(await channel.connection.response(3)["result"] == ["cancelled": false])
    #expect(channel.connection.messages.filter { $0.isResponse(1) }.count == 1)
    channel.session.closed(code: 1000)
  }

  @Test("An id that is open cannot be used again, and more than 64 open requests are refused")
  func openRequests() async throws {
    let (_, _, page, channel) = try await open()
    await Task { @PageActor in page.scriptResult = nil }.value
    for id in 1...64 {
      channel.send(#"{"id":\#(id),"method":"evaluateJavaScript","params":{"expression":"x"}}"#)
    }
    channel.send(#"{"id":65,"method":"getHealth"}"#)
    let full = await channel.connection.response(65)
    #expect(full.errorCode == "queueFull")
    #expect(full["error"]?.object?["details"]?.object?["limit"]?.integer == 64)
    channel.send(#"{"id":66,"method":"cancel","params":{"id":2}}"#)
    #expect(await channel.connection.response(66)["result"] == ["cancelled": true])
    channel.send(#"{"id":64,"method":"getHealth"}"#)
    #expect(await channel.connection.response(64).errorCode == "invalidArgument")
    await Task { @PageActor in
      // Also for calls that are still on their way to the page.
      page.scriptResult = .success(.json("1"))
      page.settle(.json("1"))
    }.value
    #expect(await channel.connection.response(1)["result"] == ["result": 1])
    channel.session.closed(code: 1000)
  }

  @Test("Disposal is told, open requests are answered, then the channel closes with 1000")
  func disposal() async throws {
    let (server, id, page, channel) = try await open()
    await Task { @PageActor in page.scriptResult = nil }.value
    channel.send(#"{"id":1,"method":"evaluateJavaScript","params":{"expression":"x"}}"#)
    channel.send(#"{"id":2,"method":"getHealth"}"#)
    _ = await channel.connection.response(2)
    #expect(await server.send(.delete, "/v1/controllers/\(id)").status == 204)
    await channel.connection.until { _, closed in closed != nil }
    #expect(channel.connection.closeCode == 1000)
    #expect(channel.connection.index { $0.isEvent("disposed") } != nil)
    #expect(channel.connection.messages.filter { $0.isEvent("disposed") }.count == 1)
    #expect(await channel.connection.response(1).errorCode == "disposed")
    channel.session.closed(code: 1000)
  }

  @Test("A controller disposed over its own channel is answered before the channel closes")
  func disposedBySelf() async throws {
    let (_, _, _, channel) = try await open()
    channel.send(#"{"id":1,"method":"disposeController"}"#)
    await channel.connection.until { _, closed in closed != nil }
    #expect(await channel.connection.response(1)["result"] == [:])
    channel.session.closed(code: 1000)
  }

  @Test("Claims are told; a closed channel's claims fall to the one before")
  func claims() async throws {
    let (server, id, _, first) = try await open()
    first.send(#"{"id":1,"method":"claim","params":{"kinds":["scriptMessage"]}}"#)
    #expect(await first.connection.response(1)["result"] == ["kinds": ["scriptMessage"]])
    #expect(first.connection.index { $0["type"]?.text == "claims" } != nil)
    let second = try TestChannel.open(server, "/v1/controllers/\(id)/channel")
    second.send(#"{"id":1,"method":"claim","params":{"kinds":["scriptMessage"]}}"#)
    _ = await second.connection.response(1)
    await first.connection.until { messages, _ in
      messages.contains { $0["kinds"] == [] && $0["type"]?.text == "claims" }
    }
    let count = first.connection.messages.count
    second.session.closed(code: 1001)
    await first.connection.until { messages, _ in messages.count > count }
    #expect(first.connection.messages.last?["kinds"] == ["scriptMessage"])
    first.session.closed(code: 1000)
  }

  @Test("The server's channel reaches every controller and tells of all of them")
  func serverChannel() async throws {
    let server = await TestServer()
    let channel = try TestChannel.open(server, "/v1/channel")
    channel.send(#"{"id":1,"method":"subscribe","params":{"events":["all"]}}"#)
    #expect(await channel.connection.response(1)["result"]?.object?["state"] == .null)
    channel.send(#"{"id":2,"method":"createController","params":{"ephemeral":true}}"#)
    let id = try #require(await channel.connection.response(2)["result"]?.object?["id"]?.text)
    channel.send(#"{"id":3,"method":"loadURL","params":{"controllerId":"\#(id)","url":"http://localhost/"}}"#)
    _ = await channel.connection.response(3)
    #expect(
      channel.connection.messages.contains { $0.isEvent("loadFinish") && $0["controllerId"]?.text == id })
    channel.send(#"{"id":4,"method":"getState"}"#)
    #expect(await channel.connection.response(4).errorCode == "invalidArgument")
    channel.send(#"{"id":5,"method":"disposeController","params":{"controllerId":"\#(id)"}}"#)
    _ = await channel.connection.response(5)
    #expect(channel.connection.messages.contains { $0.isEvent("disposed") })
    #expect(channel.connection.closeCode == nil)
    channel.session.closed(code: 1000)
  }

  @Test("A draining server ends its channels with 1001; a message too large is explained")
  func endings() async throws {
    let (server, _, _, channel) = try await open()
    channel.session.receivedTooLarge(limit: 5)
    #expect(channel.connection.messages.last?.errorCode == "payloadTooLarge")
    #expect(channel.connection.messages.last?["type"]?.text == "error")
    server.handler.closeChannels()
    #expect(channel.connection.closeCode == 1001)
    channel.session.closed(code: 1001)
    #expect(server.handler.channels.open.withLock { $0.isEmpty })
  }

  @Test("A closed channel withdraws what it had open")
  func closedChannel() async throws {
    let (server, _, page, channel) = try await open()
    await Task { @PageActor in page.scriptResult = nil }.value
    channel.send(#"{"id":1,"method":"evaluateJavaScript","params":{"expression":"x"}}"#)
    channel.send(#"{"id":2,"method":"getHealth"}"#)
    _ = await channel.connection.response(2)
    let count = channel.connection.messages.count
    channel.session.closed(code: 1006)
    // A round trip through the page actor: everything that was withdrawn has ended by then.
    _ = await server.send(.get, "/v1/server")
    #expect(channel.connection.messages.count == count)
  }
}
