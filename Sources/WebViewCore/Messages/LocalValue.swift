/// WebDriver BiDi's LocalValue, checked before a page gets it.
public enum LocalValue {
  /// Throws `invalidArgument` naming the place and what would be right.
  public static func check(_ value: JSONValue, at pointer: String) throws(ServiceError) {
    guard case .object(let object) = value else {
      throw .invalid(pointer, "A typed value is an object with the member \"type\".")
    }
    guard case .string(let type)? = object["type"] else {
      throw .invalid(
        pointer, "A typed value needs the member \"type\", one of \(types.joined(separator: ", ")).")
    }
    let members: Set<String> =
      switch type {
      case "undefined", "null": ["type"]
      case "arraybuffer": ["type", "valueBase64"]
      case "typedarray": ["type", "arrayType", "valueBase64"]
      default: ["type", "value"]
      }
    for member in object where !members.contains(member.name) {
      throw .invalid(
        pointer + JSONPointer.token(member.name),
        "A typed value of type \(type) has no such member.")
    }
    let place = pointer + "/value"
    switch type {
    case "undefined", "null": return
    case "string": if isString(object["value"]) { return }
    case "boolean": if case .bool? = object["value"] { return }
    case "number":
      if case .number(let number)? = object["value"], number.double != nil { return }
      if case .string(let name)? = object["value"], ["NaN", "-0", "Infinity", "-Infinity"].contains(name) {
        return
      }
    case "bigint":
      if case .string(let text)? = object["value"], text.wholeMatch(of: /-?[0-9]+/) != nil { return }
    case "date": if case .string(let text)? = object["value"], !text.isEmpty { return }
    case "regexp":
      if case .object(let value)? = object["value"], isString(value["pattern"]),
        value["flags"].map(isString) ?? true
      {
        return
      }
    case "array", "set":
      if case .array(let elements)? = object["value"] {
        for (index, element) in elements.enumerated() { try check(element, at: "\(place)/\(index)") }
        return
      }
    case "object", "map":
      if case .array(let entries)? = object["value"] {
        for (index, entry) in entries.enumerated() {
          try checkEntry(entry, of: type, at: "\(place)/\(index)")
        }
        return
      }
    case "arraybuffer", "typedarray": return try checkBuffer(object, at: pointer)
    default:
      throw .invalid(
        "\(pointer)/type", "\"\(type)\" is not a type of value; known: \(types.joined(separator: ", ")).")
    }
    throw .invalid(place, "The value does not fit the type \(type).")
  }

  private static let types = [
    "undefined", "null", "string", "number", "boolean", "bigint", "array", "date", "map", "object", "regexp",
    "set", "arraybuffer", "typedarray",
  ]
  private static let arrayTypes = [
    "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
    "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "DataView",
  ]

  /// Ours beyond BiDi: bytes in base64, padding optional.
  private static func checkBuffer(_ object: JSONObject, at pointer: String) throws(ServiceError) {
    guard case .string(let text)? = object["valueBase64"], text.utf8.count % 4 != 1,
      text.wholeMatch(of: /[A-Za-z0-9+\/]*={0,2}/) != nil
    else {
      throw .invalid("\(pointer)/valueBase64", "The bytes of a buffer stand in valueBase64, as base64.")
    }
    guard let given = object["arrayType"] else { return }
    guard case .string(let name) = given, arrayTypes.contains(name) else {
      throw .invalid(
        "\(pointer)/arrayType", "arrayType is one of \(arrayTypes.joined(separator: ", ")).")
    }
  }

  private static func checkEntry(_ entry: JSONValue, of type: String, at pointer: String) throws(ServiceError)
  {
    guard case .array(let pair) = entry, pair.count == 2 else {
      throw .invalid(pointer, "An entry is an array of a key and a value.")
    }
    if !isString(pair[0]) {
      guard type == "map" else { throw .invalid(pointer + "/0", "The key of an object is a string.") }
      try check(pair[0], at: pointer + "/0")
    }
    try check(pair[1], at: pointer + "/1")
  }

  /// Also one with unpaired surrogates, which is kept as it was written.
  private static func isString(_ value: JSONValue?) -> Bool {
    switch value {
    case .string?: true
    case .raw(let text)?: text.hasPrefix("\"")
    default: false
    }
  }
}
