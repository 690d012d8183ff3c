import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

/// The operation table against the OpenAPI document, both ways.
@Suite struct OperationContractTests {
  static let contract = Contract.openAPI

  @Test func `the documents can be read`() {
    #expect(Contract.openAPI.problem == nil)
    #expect(Contract.asyncAPI.problem == nil)
    #expect(!Self.contract.operations.isEmpty)
  }

  @Test func `every operation is documented with its method and path, and nothing else is`() {
    let offered = Set(OperationTable.all.map { "\($0.method) \($0.path) \($0.id)" })
    let documented = Set(Self.contract.operations.map { "\($0.method) \($0.path) \($0.id)" })
    #expect(offered.subtracting(documented).sorted() == [], "offered, but not documented")
    #expect(documented.subtracting(offered).sorted() == [], "documented, but not offered")
    #expect(Set(OperationTable.all.map(\.id)).count == OperationTable.all.count, "ids are unique")
  }

  @Test(arguments: OperationTable.all.map(\.id))
  func `success statuses are the documented ones`(id: String) throws {
    let operation = try #require(OperationTable.all.first { $0.id == id })
    let documented = try #require(Self.contract.operation(id))
    let successes = documented.responses.map(\.name).filter { !$0.hasPrefix("4") && !$0.hasPrefix("5") }
    #expect(successes.sorted() == operation.statuses.map { String($0) }.sorted())
  }

  @Test(arguments: OperationTable.all.map(\.id))
  func `error codes are the documented ones, under the status of each code`(id: String) throws {
    let operation = try #require(OperationTable.all.first { $0.id == id })
    let documented = try #require(Self.contract.operation(id))
    var told: Set<String> = []
    for response in documented.responses where response.name.hasPrefix("4") || response.name.hasPrefix("5") {
      for code in Self.contract.resolve(response.value)["x-error-codes"]?.texts ?? [] {
        told.insert("\(response.name) \(code)")
      }
    }
    let possible = Set(operation.errors.map { "\($0.httpStatus) \($0.rawValue)" })
    #expect(possible.subtracting(told).sorted() == [], "possible, but not documented")
    #expect(told.subtracting(possible).sorted() == [], "documented, but not possible")
  }

  @Test(arguments: OperationTable.all.map(\.id))
  func `path parameters are the documented ones`(id: String) throws {
    let operation = try #require(OperationTable.all.first { $0.id == id })
    let documented = try #require(Self.contract.operation(id))
    let inTemplate = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      $0.dropFirst().dropLast()
    }
    let names = documented.parameters(in: "path").map { $0["name"]?.text ?? "" }
    #expect(names.sorted() == inTemplate.map { String($0) }.sorted())
  }

  @Test(arguments: OperationTable.all.map(\.id))
  func `bodies have the documented media types`(id: String) throws {
    let operation = try #require(OperationTable.all.first { $0.id == id })
    let documented = try #require(Self.contract.operation(id))
    var types: [String] = []
    // DELETE takes its members in a body too, but that is for clients that cannot write queries.
    if operation.takesBody, operation.method != .delete { types.append("application/json") }
    if let raw = operation.rawBody { types.append(raw.contentType) }
    #expect(documented.bodies.map(\.name).sorted() == types.sorted())
  }
}
