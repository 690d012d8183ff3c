import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite struct ChannelUpgradeTests {
  private func status(_ server: TestServer, _ target: String, _ headers: HTTPHeaders = [:]) -> Int {
    switch server.handler.admit(TestChannel.head(target, headers)) {
    case .upgrade: 101
    case .refuse(let response): response.status
    case .respond: 0
    }
  }

  @Test("The subprotocol is echoed when offered, none is fine, only others are refused")
  func subprotocol() async {
    let server = await TestServer()
    for (offer, echo) in [
      ("webview-server.v1", "webview-server.v1"), ("a, webview-server.v1", "webview-server.v1"), ("", nil),
    ] as [(String, String?)] {
      let head = TestChannel.head("/v1/channel", offer.isEmpty ? [:] : ["Sec-WebSocket-Protocol": offer])
      guard case .upgrade(let name, let limit, _) = server.handler.admit(head) else {
        Issue.record("refused")
        continue
      }
      #expect(name == echo)
      #expect(limit == server.services.limits.channelMessage)
    }
    #expect(status(server, "/v1/channel", ["Sec-WebSocket-Protocol": "other"]) == 400)
  }

  @Test("A plain GET of a channel says what it is")
  func plainGet() async {
    let answer = await TestServer().send(.get, "/v1/channel")
    #expect(answer.status == 400)
    #expect(answer.error["message"]?.text?.contains("Upgrade: websocket") == true)
  }

  @Test("Unknown and disposed controllers have no channel")
  func presence() async throws {
    let server = await TestServer()
    #expect(status(server, "/v1/controllers/nothing/channel") == 404)
    let (id, _) = try await server.makeController()
    #expect(status(server, "/v1/controllers/\(id)/channel") == 101)
    #expect(await server.send(.delete, "/v1/controllers/\(id)").status == 204)
    #expect(status(server, "/v1/controllers/\(id)/channel") == 410)
  }

  @Test("A ticket opens its channel once; a token in the query opens nothing")
  func tickets() async throws {
    let server = await TestServer(access: AccessPolicy(token: "s"))
    let headers: HTTPHeaders = ["Host": "localhost", "Authorization": "Bearer s"]
    #expect(status(server, "/v1/channel") == 401)
    #expect(status(server, "/v1/channel", headers) == 101)
    #expect(status(server, "/v1/channel?token=s") == 400)
    #expect(status(server, "/v1/channel?ticket=wrong") == 401)
    let answer = await server.send(.post, "/v1/tickets", headers: headers)
    #expect(answer.status == 201)
    #expect(answer.object["expiresAt"]?.text == "1970-01-01T00:00:30.000Z")
    let ticket = try #require(answer.object["ticket"]?.text)
    let created = await server.send(.post, "/v1/controllers", headers: headers)
    let id = try #require(created.object["id"]?.text)
    #expect(status(server, "/v1/channel?ticket=\(ticket)", ["Sec-WebSocket-Protocol": "other"]) == 400)
    #expect(status(server, "/v1/channel?ticket=\(ticket)") == 101)
    #expect(status(server, "/v1/channel?ticket=\(ticket)") == 401)
    let own = await server.send(.post, "/v1/controllers/\(id)/tickets", headers: headers)
    let ownTicket = try #require(own.object["ticket"]?.text)
    #expect(status(server, "/v1/channel?ticket=\(ownTicket)") == 401)
    let again = await server.send(.post, "/v1/controllers/\(id)/tickets", headers: headers)
    let againTicket = try #require(again.object["ticket"]?.text)
    #expect(status(server, "/v1/controllers/\(id)/channel?ticket=\(againTicket)") == 101)
  }

  @Test("A ticket opens its channel as long as it said, whatever the time that the test takes")
  func ticketsEnd() async throws {
    let server = await TestServer(access: AccessPolicy(token: "s"))
    let headers: HTTPHeaders = ["Host": "localhost", "Authorization": "Bearer s"]
    for (age, opened) in [(29, 101), (30, 401)] {
      let answer = await server.send(.post, "/v1/tickets", headers: headers)
      let ticket = try #require(answer.object["ticket"]?.text)
      server.clock.advance(by: .seconds(age))
      #expect(status(server, "/v1/channel?ticket=\(ticket)") == opened)
    }
  }

  @Test("A page of another origin opens no channel")
  func origin() async {
    let server = await TestServer()
    #expect(status(server, "/v1/channel", ["Origin": "http://evil.example"]) == 403)
    #expect(status(server, "/v1/channel", ["Sec-Fetch-Site": "cross-site"]) == 403)
    #expect(status(server, "/v1/channel", ["Host": "evil.example"]) == 403)
  }

  @Test("A server that is not ready opens no channel")
  func readiness() async {
    let server = await TestServer(readiness: .draining)
    #expect(status(server, "/v1/channel") == 503)
  }
}
