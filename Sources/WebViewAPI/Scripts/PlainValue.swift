import WebViewCore

/// JSON that a page gets as it is.
enum PlainValue {
  /// Throws `invalidArgument` naming the first number that JavaScript would read as Infinity.
  static func check(_ value: JSONValue, at pointer: String) throws(ServiceError) {
    switch value {
    case .number(let number):
      guard number.double == nil else { return }
      throw InputError.wrongValue(
        .json(value, pointer: pointer), "must be a number of at most about 1.8e308 either way")
    case .array(let elements):
      for (index, element) in elements.enumerated() { try check(element, at: "\(pointer)/\(index)") }
    case .object(let object):
      for member in object { try check(member.value, at: pointer + JSONPointer.token(member.name)) }
    case .null, .bool, .string, .raw: return
    }
  }
}
