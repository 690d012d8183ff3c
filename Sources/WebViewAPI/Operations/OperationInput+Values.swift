import Foundation
import WebViewCore

extension OperationInput {
  // MARK: Scalars

  mutating func string(_ name: String) throws(ServiceError) -> String? {
    guard let given = try find(name) else { return nil }
    return try string(given, name: name)
  }

  mutating func requiredString(_ name: String, _ meaning: String) throws(ServiceError) -> String {
    guard let text = try string(name) else { throw missing(name, expected: meaning) }
    return text
  }

  /// `.some(nil)` when null was given.
  mutating func nullableString(_ name: String) throws(ServiceError) -> String?? {
    guard let given = try find(name) else { return nil }
    if case .json(.null, _) = given { return .some(nil) }
    return .some(try string(given, name: name, expected: "a string or null"))
  }

  private func string(_ given: Given, name: String, expected: String = "a string") throws(ServiceError)
    -> String
  {
    switch given {
    case .text(let items):
      guard items.count == 1 else { throw InputError.twice(items) }
      return items[0].value
    case .json(.string(let text), _): return text
    case .json: throw InputError.wrongType(given, name: name, expected: expected)
    }
  }

  mutating func bool(_ name: String) throws(ServiceError) -> Bool? {
    guard let given = try find(name) else { return nil }
    switch given {
    case .text(let items):
      guard items.count == 1 else { throw InputError.twice(items) }
      switch items[0].value {
      case "true": return true
      case "false": return false
      default: throw InputError.wrongType(given, name: name, expected: "true or false")
      }
    case .json(.bool(let flag), _): return flag
    case .json: throw InputError.wrongType(given, name: name, expected: "true or false")
    }
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(ServiceError) -> Int? {
    let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
    guard let given = try find(name) else { return nil }
    guard let number = try number(given, name: name, expected: expected) else { return nil }
    guard let integer = number.integer else {
      // An integer too large for the machine is out of range, not of the wrong type.
      if let value = number.double, value == value.rounded() {
        throw InputError.outOfRange(
          given, name: name, minimum: JSONValue(range.lowerBound), maximum: JSONValue(range.upperBound),
          range: expected)
      }
      throw InputError.wrongValue(given, "must be \(expected)")
    }
    guard range.contains(integer) else {
      throw InputError.outOfRange(
        given, name: name, minimum: JSONValue(range.lowerBound), maximum: JSONValue(range.upperBound),
        range: expected)
    }
    return integer
  }

  mutating func requiredInteger(_ name: String, in range: ClosedRange<Int>) throws(ServiceError) -> Int {
    guard let value = try integer(name, in: range) else {
      throw missing(name, expected: "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// - Parameter above: an exclusive lower bound, in place of the range's own.
  mutating func number(
    _ name: String, in range: ClosedRange<Double>, above: Double? = nil
  ) throws(ServiceError) -> Double? {
    let lower = JSONNumber(range.lowerBound).literal
    let upper = JSONNumber(range.upperBound).literal
    let unbounded = range.upperBound >= Double.greatestFiniteMagnitude
    let expected: String
    if let above {
      expected = "a number above \(JSONNumber(above).literal)" + (unbounded ? "" : ", at most \(upper)")
    } else if unbounded {
      expected =
        range.lowerBound <= -Double.greatestFiniteMagnitude ? "a number" : "a number, at least \(lower)"
    } else {
      expected = "a number from \(lower) to \(upper)"
    }
    guard let given = try find(name) else { return nil }
    guard let number = try number(given, name: name, expected: expected) else { return nil }
    guard let value = number.double, range.contains(value), above.map({ value > $0 }) ?? true else {
      throw InputError.outOfRange(
        given, name: name,
        minimum: range.lowerBound <= -Double.greatestFiniteMagnitude ? nil : JSONValue(range.lowerBound),
        maximum: unbounded ? nil : JSONValue(range.upperBound), range: expected)
    }
    return value
  }

  private func number(_ given: Given, name: String, expected: String) throws(ServiceError) -> JSONNumber? {
    switch given {
    case .text(let items):
      guard items.count == 1 else { throw InputError.twice(items) }
      guard case .number(let number)? = try? JSONParser.parse(items[0].value) else {
        throw InputError.wrongType(given, name: name, expected: expected)
      }
      return number
    case .json(.number(let number), _): return number
    case .json: throw InputError.wrongType(given, name: name, expected: expected)
    }
  }

  mutating func enumeration<Value: RawRepresentable & CaseIterable>(
    _ name: String, as: Value.Type = Value.self
  ) throws(ServiceError) -> Value? where Value.RawValue == String {
    guard let text = try choice(name, among: Value.allCases.map(\.rawValue)) else { return nil }
    return Value(rawValue: text)
  }

  /// One of some words.
  mutating func choice(_ name: String, among values: [String]) throws(ServiceError) -> String? {
    guard let given = try find(name) else { return nil }
    let text = try string(given, name: name)
    guard values.contains(text) else { throw InputError.notOneOf(given, values: values) }
    return text
  }

  // MARK: Compounds

  /// Any JSON value; in the query only strings have a form, so there it is refused.
  mutating func jsonObject(_ name: String) throws(ServiceError) -> JSONObject? {
    if let item = query.below(name).items.first ?? query.values(of: name).first {
      throw ServiceError(
        .invalidArgument, "`\(name)` can only be given in a JSON body.",
        details: ["parameter": .string(item.parameter)])
    }
    guard let given = try find(name) else { return nil }
    guard case .json(.object(let object), _) = given else {
      throw InputError.wrongType(given, name: name, expected: "an object")
    }
    return object
  }

  mutating func objects(_ name: String) throws(ServiceError) -> [OperationInput]? {
    guard let given = try find(name) else { return nil }
    guard case .json(.array(let elements), let pointer) = given else {
      throw InputError.wrongType(given, name: name, expected: "an array of objects")
    }
    var result: [OperationInput] = []
    for (index, element) in elements.enumerated() {
      result.append(try OperationInput.element(element, pointer: pointer + "/\(index)"))
    }
    return result
  }

  /// A list of words: an array in a body, comma-separated or repeated in the query.
  mutating func strings(_ name: String, among values: [String]? = nil) throws(ServiceError) -> [String]? {
    guard let given = try find(name) else { return nil }
    var result: [String] = []
    switch given {
    case .text(let items):
      for item in items {
        for word in item.value.split(separator: ",", omittingEmptySubsequences: false) {
          guard !word.isEmpty else {
            throw InputError.wrongType(given, name: name, expected: "a list without empty entries")
          }
          result.append(String(word))
        }
      }
    case .json(.array(let elements), let pointer):
      for (index, element) in elements.enumerated() {
        guard case .string(let word) = element else {
          throw InputError.wrongType(
            .json(element, pointer: pointer + "/\(index)"), name: name, expected: "a string")
        }
        result.append(word)
      }
    case .json: throw InputError.wrongType(given, name: name, expected: "an array of strings")
    }
    if let values, let wrong = result.firstIndex(where: { !values.contains($0) }) {
      let place: Given
      switch given {
      case .text(let items):
        place = .text([.init(parameter: items[0].parameter, name: name, value: result[wrong])])
      case .json(_, let pointer):
        place = .json(.string(result[wrong]), pointer: pointer + "/\(wrong)")
      }
      throw InputError.notOneOf(place, values: values)
    }
    return result
  }

  /// Exactly one of `name` (UTF-8 text), `nameBase64`, and a raw body that stands for `name`.
  mutating func requiredBytes(_ name: String) throws(ServiceError) -> [UInt8] {
    let encoded = name + "Base64"
    let text = try string(name)
    let base64 = try string(encoded)
    if let raw, raw.member == name {
      guard base64 == nil else {
        throw ServiceError(
          .invalidArgument, "`\(encoded)` is given beside a body that is the data: give one of them.",
          details: ["parameter": .string(encoded)])
      }
      return raw.bytes
    }
    switch (text, base64) {
    case (let text?, nil): return Array(text.utf8)
    case (nil, let base64?):
      guard let bytes = Self.decodeBase64(base64) else {
        throw ServiceError(
          .invalidArgument, "`\(pointer(to: encoded))` must be base64 (alphabet A–Z a–z 0–9 + /).",
          details: ["pointer": .string(pointer(to: encoded))])
      }
      return bytes
    case (nil, nil): throw missing(name, expected: "text in `\(name)` or bytes in `\(encoded)`")
    case (.some, .some):
      throw ServiceError(
        .invalidArgument, "`\(name)` and `\(encoded)` are given: give one of them.",
        details: ["pointer": .string(pointer(to: encoded))])
    }
  }

  private static func decodeBase64(_ text: String) -> [UInt8]? {
    let remainder = text.utf8.count % 4
    if remainder == 1 { return nil }
    let padded = remainder == 0 ? text : text + String(repeating: "=", count: 4 - remainder)
    // For Foundation padding may be anywhere.
    guard text.drop(while: { $0 != "=" }).allSatisfy({ $0 == "=" }) else { return nil }
    return Data(base64Encoded: padded).map { Array($0) }
  }

  // MARK: Ids

  /// The controller that the caller names, or whose channel this is.
  mutating func controllerID() throws(ServiceError) -> ControllerID {
    let name = "controllerId"
    if let text = try segment(name) { return ControllerID(text: text) }
    guard let text = try string(name) else {
      if let reach { return reach }
      throw missing(name, expected: "the id of a controller")
    }
    let id = ControllerID(text: text)
    if let reach, reach != id {
      throw ServiceError(
        .forbidden, "This channel reaches only the controller \(reach).", details: ["kind": "controller"])
    }
    return id
  }

  /// A segment of the path, on the channel a member of that name.
  mutating func pathString(_ name: String, _ meaning: String) throws(ServiceError) -> String {
    if let text = try segment(name) { return text }
    return try requiredString(name, meaning)
  }

  private func segment(_ name: String) throws(ServiceError) -> String? {
    guard let text = path[name] else { return nil }
    if body[name] != nil || query.has(name) {
      throw ServiceError(
        .invalidArgument, "`\(name)` stands in the path already: leave it out elsewhere.",
        details: ["pointer": .string(pointer(to: name)), "parameter": .string(name)])
    }
    return text
  }
}
