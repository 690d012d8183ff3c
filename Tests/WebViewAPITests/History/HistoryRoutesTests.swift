import Testing
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct HistoryRoutesTests {
  private static func item(_ id: String, title: String? = nil) -> HistoryItem {
    HistoryItem(
      id: HistoryItemID(text: id), url: "http://localhost/\(id)", initialURL: "http://first/\(id)",
      title: title)
  }

  @Test("The list has all its members, null where there is nothing")
  func list() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)/history"
    #expect(await server.send(.get, path).text == #"{"backList":[],"currentItem":null,"forwardList":[]}"#)
    await Task { @PageActor in
      page.backForwardList = BackForwardList(
        backList: [Self.item("a"), Self.item("b")], currentItem: Self.item("c", title: "C"),
        forwardList: [Self.item("d")])
    }.value
    let answer = await server.send(.get, path)
    #expect(answer.status == 200)
    #expect(
      answer.object["currentItem"]
        == ["id": "c", "url": "http://localhost/c", "initialURL": "http://first/c", "title": "C"])
    #expect(answer.object["backList"]?.array?.map { $0.object?["id"]?.text } == ["a", "b"])
    #expect(answer.object["forwardList"]?.array?.first?.object?["title"] == .null)
    #expect(await server.send(.get, path + "?limit=3").details["parameter"]?.text == "limit")
  }

  @Test("An entry is loaded by its id; others are invalid arguments, although they stand in the path")
  func item() async throws {
    let server = await TestServer()
    let (id, page) = try await server.makeController()
    let path = "/v1/controllers/\(id)/history"
    await Task { @PageActor in
      page.backForwardList = BackForwardList(backList: [Self.item("a")], currentItem: Self.item("b"))
    }.value
    let loaded = await server.send(.post, path + "/a/load")
    #expect(loaded.status == 200 && loaded.object["loaded"] == true, "\(loaded)")
    #expect(loaded.object["navigation"]?.object?["url"]?.text == "http://localhost/a")
    #expect(await server.send(.post, path + "/a/load", json: #"{"wait":{"event":"none"}}"#).status == 202)
    for foreign in ["c", "h1-x", "%20"] {
      let refused = await server.send(.post, path + "/\(foreign)/load")
      #expect(refused.status == 400 && refused.code == "invalidArgument", "\(refused)")
      #expect(refused.details["parameter"]?.text == "itemId")
    }
    #expect(await server.send(.get, path + "/a/load").status == 405)
    #expect(await server.send(.post, path + "/a").status == 404)
  }
}
