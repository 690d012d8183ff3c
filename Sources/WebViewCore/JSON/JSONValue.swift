/// A JSON value that keeps the order of members and the text of numbers.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
  /// JSON text that is passed on as it is: results of pages, and strings with unpaired surrogates, which
  /// no Swift string can hold. It was checked where it was made.
  case raw(String)
}

/// A number as it was written: `1e2`, `800.0` and 64-bit integers survive.
public struct JSONNumber: Sendable, Hashable {
  public let literal: String
  /// - Parameter literal: a number in JSON's grammar.
  public init(literal: String) { self.literal = literal }
  public init(_ value: Int) { literal = String(value) }
  public init(_ value: Int64) { literal = String(value) }
  /// - Parameter value: finite. Written without a fraction where it is an integer below 2^53.
  public init(_ value: Double) {
    literal =
      value == value.rounded() && abs(value) < 9_007_199_254_740_992 && !(value == 0 && value.sign == .minus)
      ? String(Int64(value)) : String(value)
  }
  public var double: Double? { Double(literal).flatMap { $0.isFinite ? $0 : nil } }
  /// An integer, also when written `800.0` or `8e2`.
  public var integer: Int? {
    if let exact = Int(literal) { return exact }
    guard let value = double, value == value.rounded(), abs(value) < 9_007_199_254_740_992 else { return nil }
    return Int(value)
  }
}

/// An object whose members keep their order. Names are unique: the parser refuses duplicates.
public struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral, Sequence {
  public struct Member: Sendable, Equatable {
    public var name: String
    public var value: JSONValue
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
  public private(set) var members: [Member]

  public init() { members = [] }
  public init(members: [Member]) { self.members = members }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(name: $0.0, value: $0.1) }
  }

  /// Setting nil removes the member.
  public subscript(name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Adds a member whose name is known to be new.
  public mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name: name, value: value))
  }

  public var isEmpty: Bool { members.isEmpty }
  public var count: Int { members.count }
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByStringInterpolation, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  public init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(members: elements.map { .init(name: $0.0, value: $0.1) }))
  }
  public init(nilLiteral: ()) { self = .null }

  public init(_ value: Int) { self = .number(JSONNumber(value)) }
  public init(_ value: Double) { self = .number(JSONNumber(value)) }
  /// nil becomes null.
  public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
  public init(_ value: Int?) { self = value.map { .number(JSONNumber($0)) } ?? .null }
  public init(_ value: Double?) { self = value.map { .number(JSONNumber($0)) } ?? .null }
}
