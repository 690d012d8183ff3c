import Foundation
import WebViewCore

/// As much of JSON Schema 2020-12 as the contract's schemas use. A keyword that is not known here is a
/// violation, so that no schema is taken for checked when it is not.
struct JSONSchema {
  let contract: Contract

  /// One sentence for each violation.
  func violations(of value: JSONValue, against schema: JSONValue, at pointer: String = "") -> [String] {
    schema.members.flatMap { check(value, keyword: $0.name, argument: $0.value, schema: schema, at: pointer) }
  }

  private func isValid(_ value: JSONValue, _ schema: JSONValue) -> Bool {
    violations(of: value, against: schema).isEmpty
  }

  private func check(
    _ value: JSONValue, keyword: String, argument: JSONValue, schema: JSONValue, at pointer: String
  ) -> [String] {
    func violation(_ text: String) -> [String] { ["\(pointer.isEmpty ? "/" : pointer): \(text)"] }
    func unless(_ holds: Bool, _ text: @autoclosure () -> String) -> [String] {
      holds ? [] : violation(text())
    }
    switch keyword {
    case "description", "default", "example", "examples", "discriminator", "contentEncoding", "title":
      return []
    case "format": return []  // Instants also have a pattern.
    case "$ref": return violations(of: value, against: contract.resolve(schema), at: pointer)
    case "type":
      let types = argument.text.map { [$0] } ?? argument.texts
      return unless(types.contains { isOfType(value, $0) }, "is not \(types.joined(separator: " or "))")
    case "const": return unless(value == argument, "is not \(JSONWriter.text(argument))")
    case "enum": return unless(argument.elements.contains(value), "is none of \(JSONWriter.text(argument))")
    case "oneOf":
      let matches = argument.elements.count { isValid(value, $0) }
      return unless(matches == 1, "matches \(matches) of oneOf")
    case "anyOf": return unless(argument.elements.contains { isValid(value, $0) }, "matches none of anyOf")
    case "not": return unless(!isValid(value, argument), "matches what it must not")
    case "required":
      guard case .object(let object) = value else { return [] }
      return argument.texts.filter { object[$0] == nil }.flatMap { violation("\($0) is missing") }
    case "properties":
      return value.members.flatMap { member in
        argument[member.name].map {
          violations(of: member.value, against: $0, at: "\(pointer)/\(member.name)")
        }
          ?? []
      }
    case "additionalProperties", "unevaluatedProperties":
      let known = Set(schema["properties"]?.members.map(\.name) ?? [])
      return value.members.filter { !known.contains($0.name) }.flatMap { member in
        argument == .bool(false)
          ? violation("\(member.name) is not a documented member")
          : violations(of: member.value, against: argument, at: "\(pointer)/\(member.name)")
      }
    case "items":
      return value.elements.enumerated().flatMap {
        violations(of: $0.element, against: argument, at: "\(pointer)/\($0.offset)")
      }
    case "minItems":
      return unless(Double(value.elements.count) >= argument.number ?? 0, "has too few elements")
    case "maxItems":
      return unless(Double(value.elements.count) <= argument.number ?? 0, "has too many elements")
    case "minLength":
      return unless(
        value.text.map { Double($0.unicodeScalars.count) >= argument.number ?? 0 } ?? true, "is too short")
    case "maxLength":
      return unless(
        value.text.map { Double($0.unicodeScalars.count) <= argument.number ?? 0 } ?? true, "is too long")
    case "minimum":
      return unless(value.number.map { $0 >= argument.number ?? .infinity } ?? true, "is too small")
    case "maximum":
      return unless(value.number.map { $0 <= argument.number ?? -.infinity } ?? true, "is too large")
    case "exclusiveMinimum":
      return unless(value.number.map { $0 > argument.number ?? .infinity } ?? true, "is too small")
    case "pattern":
      guard let text = value.text, let pattern = argument.text else { return [] }
      guard let expression = try? NSRegularExpression(pattern: pattern) else {
        return violation("has a bad pattern")
      }
      let range = NSRange(text.startIndex..., in: text)
      return unless(expression.firstMatch(in: text, range: range) != nil, "does not match \(pattern)")
    default: return violation("has a schema with the unknown keyword \(keyword)")
    }
  }

  private func isOfType(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.number(let number), "integer"): number.integer != nil
    default: false
    }
  }
}
