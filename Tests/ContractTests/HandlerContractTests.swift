import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

/// What the handler answers is what the document says: status, media type, schema.
@Suite struct HandlerContractTests {
  static let contract = Contract.openAPI
  static let withController = contract.operations.filter {
    $0.path.contains("{controllerId}") && $0.responses.first?.name != "101"
  }
  static let withoutController = contract.operations.filter {
    !$0.path.contains("{controllerId}") && $0.responses.first?.name != "101" && $0.id != "createController"
  }

  private func answer(_ operation: Contract.DocumentedOperation, query: String? = nil) async -> HTTPResponse {
    let handler = await TestServices.handler()
    var path = operation.path
    for (name, value) in operation.pathExample { path = path.replacing("{\(name)}", with: value) }
    var head = HTTPRequestHead(
      method: HTTPMethod(operation.method), path: path, query: query, headers: ["Host": "127.0.0.1:7788"])
    var body: [UInt8] = []
    if let example = operation.bodyExamples.first {
      body = JSONWriter.write(.object(example.body))
      head.headers["Content-Type"] = "application/json"
      head.headers["Content-Length"] = String(body.count)
    }
    switch handler.admit(head) {
    case .refuse(let response): return response
    case .respond(let admitted, _): return await handler.respond(to: admitted, body: body)
    case .upgrade: return HTTPResponse(status: 101)
    }
  }

  private func expectDocumented(_ response: HTTPResponse, of operation: Contract.DocumentedOperation) throws {
    let responses = operation.responses
    let documented = try #require(
      responses.first { $0.name == String(response.status) }.map { Self.contract.resolve($0.value) },
      "\(response.status) is not documented")
    guard case .bytes(let bytes) = response.body, !bytes.isEmpty else {
      #expect(documented["content"] == nil)
      return
    }
    let type = response.headers["Content-Type"]?.split(separator: ";").first.map { String($0) } ?? ""
    let content = try #require(documented["content"]?[type], "\(type) is not documented")
    let value = try JSONParser.parse(bytes)
    #expect(
      JSONSchema(contract: Self.contract).violations(of: value, against: content["schema"] ?? .null) == [])
    for header in documented["headers"]?.members ?? [] where header.name != "Location" {
      #expect(response.headers[header.name] != nil, "\(header.name) is documented")
    }
  }

  @Test(arguments: withoutController)
  func `operations without a controller answer as documented`(operation: Contract.DocumentedOperation)
    async throws
  {
    let response = await answer(operation)
    #expect(response.status < 300)
    try expectDocumented(response, of: operation)
  }

  @Test(arguments: withController)
  func `operations on an unknown controller answer a documented 404`(operation: Contract.DocumentedOperation)
    async throws
  {
    // Some parameters are required beside a raw body only; the examples here are JSON.
    let response = await answer(operation)
    #expect(response.status == 404)
    try expectDocumented(response, of: operation)
  }

  @Test(arguments: withController + withoutController)
  func `a mistyped query answers a documented 400`(operation: Contract.DocumentedOperation) async throws {
    let response = await answer(operation, query: "tiemout=1")
    #expect(response.status == 400)
    try expectDocumented(response, of: operation)
  }
}
