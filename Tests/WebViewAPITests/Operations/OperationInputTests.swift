import Testing
import WebViewCore

@testable import WebViewAPI

@Suite struct OperationInputTests {
  private func refusal(_ body: () throws -> Void) -> ServiceError? {
    do {
      try body()
      return nil
    } catch { return error as? ServiceError }
  }

  @Test(
    "The query has the body's members: dots nest, words are booleans and numbers, lists are repeated or split"
  )
  func query() throws {
    var input = try OperationInput(
      query: "viewport.width=800&viewport.height=600&ephemeral=true&label=a%20b%2Bc+d&kinds=x,y&kinds=z")
    let options = try input.controllerOptions()
    #expect(options.viewport == Viewport(width: 800, height: 600))
    #expect(options.ephemeral == true && options.label == "a b+c d")
    #expect(try input.strings("kinds") == ["x", "y", "z"])
    try input.finish()
  }

  @Test(
    "Queries that mean nothing are refused",
    arguments: [
      ("a=", "a"), ("a", "a"), ("=1", ""), ("b=%zz", "b"), ("b=%ff", "b"), ("other=1", "other"),
      ("name=x&name=y", "name"), ("name.sub=1", "name.sub"), ("flag=yes", "flag"), ("flag=1", "flag"),
      ("number=abc", "number"), ("number=1&number=2", "number"), ("number=true", "number"),
      ("word=c", "word"),
      ("list=a,,b", "list"), ("both=1", "both"), ("wrap=1", "wrap"), ("wrap.x=1", "wrap.x"), ("any=1", "any"),
    ])
  func refusedQueries(query: String, parameter: String) {
    let error = refusal {
      var input = try OperationInput(query: query, body: ["both": "x"])
      _ = try input.string("name")
      _ = try input.bool("flag")
      _ = try input.integer("number", in: 0...10)
      _ = try input.choice("word", among: ["a", "b"])
      _ = try input.strings("list")
      _ = try input.string("both")
      _ = try input.jsonObject("any")
      try input.object("wrap")?.finish()
      try input.finish()
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["parameter"]?.text == parameter)
  }

  @Test("Integers may be written as any number that is one, and out of range names the range")
  func integers() throws {
    var input = try OperationInput(body: ["a": .number(JSONNumber(literal: "800.0")), "b": 11, "c": 1.5])
    #expect(try input.integer("a", in: 1...1_000) == 800)
    let range = refusal { _ = try input.integer("b", in: 1...10) }
    #expect(range?.details["minimum"]?.integer == 1 && range?.details["maximum"]?.integer == 10)
    #expect(refusal { _ = try input.integer("c", in: 1...10) }?.details["pointer"]?.text == "/c")
  }

  @Test("A mistyped name is answered with the one that was probably meant")
  func nearMatch() {
    let unknown = refusal {
      var input = try OperationInput(body: ["javascript": "1"])
      _ = try input.javaScriptCall(Limits())
    }
    #expect(unknown?.message.contains("`javascript` is not known: did you mean `javaScript`?") == true)
    let member = refusal {
      var input = try OperationInput(body: ["lable": "x"])
      _ = try input.controllerOptions()
      try input.finish()
    }
    #expect(member?.message.contains("Did you mean `label`?") == true)
    let none = refusal { try OperationInput(body: ["x": 1]).finish() }
    #expect(none?.message.contains("takes no members") == true)
  }

  @Test(
    "Bytes come as text, as base64 with or without padding, or as the body itself",
    arguments: [
      (["data": "hé"] as JSONObject, Array("hé".utf8)), (["dataBase64": "aGk="], Array("hi".utf8)),
      (["dataBase64": "aGk"], Array("hi".utf8)), (["dataBase64": ""], []), (["data": ""], []),
    ] as [(JSONObject, [UInt8])])
  func bytes(body: JSONObject, expected: [UInt8]) throws {
    var input = try OperationInput(body: body)
    #expect(try input.requiredBytes("data") == expected)
    try input.finish()
    var raw = try OperationInput(raw: (member: "data", bytes: expected))
    #expect(try raw.requiredBytes("data") == expected)
    try raw.finish()
  }

  @Test("A body that stands for one member refuses the member beside it")
  func rawTwice() {
    for query in ["javaScript=1", "expression=1"] {
      let error = refusal {
        var input = try OperationInput(query: query, raw: (member: "javaScript", bytes: Array("1".utf8)))
        _ = try input.javaScriptCall(Limits())
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test(
    "Content worlds have a form for bodies and one for queries",
    arguments: [
      ("", [:] as JSONObject, ContentWorld.page), ("contentWorld=page", [:], .page),
      ("contentWorld=defaultClient", [:], .defaultClient), ("contentWorldName=w", [:], .named("w")),
      ("contentWorldName=page", [:], .named("page")), ("", ["contentWorld": "defaultClient"], .defaultClient),
      ("", ["contentWorld": ["name": "w"]], .named("w")),
    ] as [(String, JSONObject, ContentWorld)])
  func contentWorlds(query: String, body: JSONObject, world: ContentWorld) throws {
    var input = try OperationInput(query: query, body: body)
    #expect(try input.contentWorld() == world)
    try input.finish()
  }

  @Test(
    "Content worlds given twice or wrongly are refused",
    arguments: [
      ("contentWorld=w", [:] as JSONObject), ("contentWorld=page&contentWorldName=w", [:]),
      ("contentWorld=page", ["contentWorld": "page"]),
      ("contentWorldName=w", ["contentWorld": ["name": "v"]]),
      ("", ["contentWorldName": "w"]), ("contentWorldName=a&contentWorldName=b", [:]),
      ("contentWorldName=w", ["contentWorld": "page"]),
    ] as [(String, JSONObject)])
  func wrongContentWorlds(query: String, body: JSONObject) {
    let error = refusal {
      var input = try OperationInput(query: query, body: body)
      _ = try input.contentWorld()
      try input.finish()
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("A channel's reach is its controller's, which it need not name")
  func reach() throws {
    let own = ControllerID(text: "own")
    var silent = try OperationInput(reach: own)
    #expect(try silent.controllerID() == own)
    var named = try OperationInput(body: ["controllerId": "own"], reach: own)
    #expect(try named.controllerID() == own)
    let error = refusal {
      var other = try OperationInput(body: ["controllerId": "other"], reach: own)
      _ = try other.controllerID()
    }
    #expect(error?.code == .forbidden)
  }

  @Test("A mistyped name is looked for among the first unknown ones only", arguments: [31, 32])
  func manyNames(before: Int) throws {
    let others = (0..<before).map { JSONObject.Member(name: "zzzzzzzz\($0)", value: 1) }
    let body = JSONObject(members: others + [.init(name: "lable", value: "x")])
    let error = refusal {
      var input = try OperationInput(body: body)
      _ = try input.requiredString("label", "a label")
    }
    #expect(error?.message.contains("did you mean `label`") == (before < 32))
  }

  @Test("Names of megabytes do not take the time of a comparison with each known name")
  func longNames() {
    let name = String(repeating: "a", count: 1 << 20)
    let error = refusal { try OperationInput(body: [:] as JSONObject).finish() }
    #expect(error == nil)
    #expect(NearMatch.best(for: name, among: ["label"]) == nil)
  }
}
