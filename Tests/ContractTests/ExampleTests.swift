import Testing
import WebViewAPI
import WebViewCore

/// The documented examples are inputs that the operations take.
@Suite struct ExampleTests {
  static let contract = Contract.openAPI

  struct Example: Sendable, CustomTestStringConvertible {
    let id: String
    let name: String
    let body: JSONObject
    var testDescription: String { "\(id) \(name)" }
  }
  static let bodies = contract.operations.flatMap { operation in
    operation.bodyExamples.map { Example(id: operation.id, name: $0.name, body: $0.body) }
  }

  private func operation(_ id: String) throws -> Operation {
    try #require(OperationTable.all.first { $0.id == id })
  }

  @Test(arguments: bodies)
  func `examples of bodies decode`(example: Example) async throws {
    let documented = try #require(Self.contract.operation(example.id))
    let input = try OperationInput(path: documented.pathExample, body: example.body)
    try operation(example.id).check(input, await TestServices.context())
  }

  @Test(arguments: bodies)
  func `an unknown member beside an example is refused by name`(example: Example) async throws {
    let documented = try #require(Self.contract.operation(example.id))
    var body = example.body
    body["notAMember"] = 1
    let input = try OperationInput(path: documented.pathExample, body: body)
    let operation = try operation(example.id)
    let context = await TestServices.context()
    let error = #expect(throws: ServiceError.self) { try operation.check(input, context) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["pointer"] == "/notAMember")
  }

  @Test(arguments: bodies)
  func `examples of bodies also decode member by member from a channel's parameters`(example: Example)
    async throws
  {
    let documented = try #require(Self.contract.operation(example.id))
    var members = example.body
    for (name, value) in documented.pathExample { members[name] = .string(value) }
    try operation(example.id).check(try OperationInput(body: members), await TestServices.context())
  }

  @Test(arguments: contract.operations.filter { !$0.bodies.isEmpty })
  func `every member of a body is in some example`(documented: Contract.DocumentedOperation) {
    let schema = Self.contract.resolve(
      documented.definition["requestBody"]?["content"]?["application/json"]?["schema"] ?? .null)
    let alternatives =
      schema["discriminator"] == nil ? [schema] : schema["oneOf"]?.elements.map(Self.contract.resolve) ?? []
    let members = Set(alternatives.flatMap { $0["properties"]?.members.map(\.name) ?? [] }).subtracting([
      "timeout"
    ])
    let shown = Set(documented.bodyExamples.flatMap { $0.body.members.map(\.name) })
    #expect(members.subtracting(shown).sorted() == [])
  }

  @Test(
    arguments: contract.operations.filter {
      !$0.parameters(in: "query").isEmpty && $0.responses.first?.name != "101"
    })
  func `examples of query parameters decode`(documented: Contract.DocumentedOperation) async throws {
    let operation = try operation(documented.id)
    let parameters = documented.parameters(in: "query")
    let names = parameters.map { $0["name"]?.text ?? "" }
    // A content world is given by one of two parameters.
    let choices = names.contains("contentWorldName") ? [["contentWorld"], ["contentWorldName"]] : [[]]
    for left in choices {
      let query = parameters.filter { !left.contains($0["name"]?.text ?? "") }.map(written).joined(
        separator: "&")
      let raw = operation.rawBody.map { (member: $0.member, bytes: Array("x".utf8)) }
      let input = try OperationInput(path: documented.pathExample, query: query, raw: raw)
      try operation.check(input, await TestServices.context())
    }
  }

  @Test(arguments: contract.operations.filter { $0.responses.first?.name != "101" })
  func `an unknown query parameter is refused by name`(documented: Contract.DocumentedOperation) async throws
  {
    let operation = try operation(documented.id)
    let raw = operation.rawBody.map { (member: $0.member, bytes: Array("x".utf8)) }
    let body = raw == nil ? documented.bodyExamples.first?.body ?? [:] : [:]
    var query = documented.parameters(in: "query").filter { $0["name"]?.text == "mimeType" }.map(written)
    query.append("notAParameter=1")
    let input = try OperationInput(
      path: documented.pathExample, query: query.joined(separator: "&"), body: body, raw: raw)
    let context = await TestServices.context()
    let error = #expect(throws: ServiceError.self) { try operation.check(input, context) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["parameter"] == "notAParameter")
  }

  private func written(_ parameter: JSONValue) -> String {
    let example = parameter["example"] ?? .null
    let text =
      example.text
      ?? (example.elements.isEmpty ? JSONWriter.text(example) : example.texts.joined(separator: ","))
    let escaped = text.utf8.map { byte in
      byte < 0x80
        && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
          || byte == 0x2E)
        ? String(Unicode.Scalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return "\(parameter["name"]?.text ?? "")=\(escaped.joined())"
  }
}
