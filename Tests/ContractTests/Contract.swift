import Foundation
import HTTPModel
import Testing
import WebViewCore

/// The two published documents, as they are served.
struct Contract: Sendable {
  static let openAPI = Contract(file: "openapi.json")
  static let asyncAPI = Contract(file: "asyncapi.json")

  let document: JSONValue
  let problem: String?

  init(file: String) {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    do {
      let bytes = try Data(contentsOf: root.appending(path: "Sources/WebViewAPI/Resources/\(file)"))
      document = try JSONParser.parse(Array(bytes))
      problem = nil
    } catch {
      document = .null
      problem = "\(file): \(error)"
    }
  }

  /// Follows `$ref`.
  func resolve(_ value: JSONValue) -> JSONValue {
    guard case .string(let reference)? = value["$ref"] else { return value }
    return resolve(document.at(reference.split(separator: "/").dropFirst()))
  }

  func schema(_ name: String) -> JSONValue { document["components"]?["schemas"]?[name] ?? .null }

  // MARK: Operations

  struct DocumentedOperation: Sendable, CustomTestStringConvertible {
    let id: String
    let method: String
    let path: String
    /// The path's parameters and its own, resolved.
    let parameters: [JSONValue]
    let definition: JSONValue
    var testDescription: String { id }
  }

  var operations: [DocumentedOperation] {
    let methods = ["get", "put", "post", "delete", "patch"]
    return document["paths"]?.members.flatMap { path in
      path.value.members.filter { methods.contains($0.name) }.map { method in
        let parameters =
          (path.value["parameters"]?.elements ?? []) + (method.value["parameters"]?.elements ?? [])
        return DocumentedOperation(
          id: method.value["operationId"]?.text ?? "", method: method.name.uppercased(), path: path.name,
          parameters: parameters.map(resolve), definition: method.value)
      }
    } ?? []
  }

  func operation(_ id: String) -> DocumentedOperation? { operations.first { $0.id == id } }
}

extension Contract.DocumentedOperation {
  func parameters(in place: String) -> [JSONValue] { parameters.filter { $0["in"]?.text == place } }
  var responses: [JSONObject.Member] { definition["responses"]?.members ?? [] }
  /// By media type.
  var bodies: [JSONObject.Member] { definition["requestBody"]?["content"]?.members ?? [] }

  /// Name and value of each example of the JSON body.
  var bodyExamples: [(name: String, body: JSONObject)] {
    let examples = definition["requestBody"]?["content"]?["application/json"]?["examples"]?.members ?? []
    return examples.compactMap { example in
      guard case .object(let body)? = example.value["value"] else { return nil }
      return (example.name, body)
    }
  }

  var pathExample: [String: String] {
    Dictionary(
      uniqueKeysWithValues: parameters(in: "path").map { ($0["name"]?.text ?? "", $0["example"]?.text ?? "") }
    )
  }
}

// MARK: Reading JSON

extension JSONValue {
  subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }
  var members: [JSONObject.Member] { if case .object(let object) = self { object.members } else { [] } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number.double } else { nil } }
  var texts: [String] { elements.compactMap(\.text) }

  /// The value at a JSON Pointer.
  func at(_ tokens: some Sequence<Substring>) -> JSONValue {
    tokens.reduce(self) { value, token in
      value[String(token).replacing("~1", with: "/").replacing("~0", with: "~")] ?? .null
    }
  }
}
