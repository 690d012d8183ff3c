import WebViewCore

/// What a caller gave: path parameters, query and body members side by side as one object, each name once.
///
/// The getters note every name that was asked for; `finish` refuses what nobody asked for, so that a
/// mistyped member never means "left out".
public struct OperationInput: Sendable {
  /// A value and where it stands, for messages.
  enum Given {
    case text([QueryString.Item])
    case json(JSONValue, pointer: String)
  }

  var path: [String: String]
  var query: QueryString
  var body: JSONObject
  /// A body that is not JSON: the value of the one member that the operation names for it.
  var raw: (member: String, bytes: [UInt8])?
  /// JSON Pointer to this object.
  let pointer: String
  /// Which controllers the caller may name; nil: all.
  let reach: ControllerID?
  private var known: [String] = []
  /// Those of the known that have members of their own.
  private var nested: Set<String> = []

  public init(
    path: [String: String] = [:], query: String? = nil, body: JSONObject = [:],
    raw: (member: String, bytes: [UInt8])? = nil, reach: ControllerID? = nil
  ) throws(ServiceError) {
    self.path = path
    self.query = try QueryString(parsing: query)
    self.body = body
    self.raw = raw
    self.reach = reach
    pointer = ""
  }

  private init(query: QueryString, body: JSONObject, pointer: String) {
    path = [:]
    self.query = query
    self.body = body
    self.pointer = pointer
    reach = nil
  }

  // MARK: Finding

  /// nil when it was not given.
  mutating func find(_ name: String) throws(ServiceError) -> Given? {
    note(name)
    let items = query.values(of: name)
    let member = body[name]
    if let item = items.first {
      if member != nil || raw?.member == name {
        throw ServiceError(
          .invalidArgument, "`\(item.parameter)` is given in the query and in the body: give it once.",
          details: ["parameter": .string(item.parameter), "pointer": .string(pointer(to: name))])
      }
      return .text(items)
    }
    return member.map { .json($0, pointer: pointer(to: name)) }
  }

  mutating func note(_ name: String) {
    if !known.contains(name) { known.append(name) }
  }

  func pointer(to name: String) -> String { pointer + JSONPointer.token(name) }

  /// Members of an object, from the body or from names with dots.
  mutating func object(_ name: String) throws(ServiceError) -> OperationInput? {
    note(name)
    nested.insert(name)
    let below = query.below(name)
    if let item = query.values(of: name).first {
      throw ServiceError(
        .invalidArgument,
        "`\(item.parameter)` is an object: in the query its members are written with a dot (`\(name).…`).",
        details: ["parameter": .string(item.parameter)])
    }
    guard let member = body[name] else {
      return below.items.isEmpty
        ? nil : OperationInput(query: below, body: [:], pointer: pointer(to: name))
    }
    if let item = below.items.first {
      throw ServiceError(
        .invalidArgument, "`\(name)` is given in the query and in the body: give it once.",
        details: ["parameter": .string(item.parameter), "pointer": .string(pointer(to: name))])
    }
    guard case .object(let object) = member else {
      throw InputError.wrongType(.json(member, pointer: pointer(to: name)), name: name, expected: "an object")
    }
    return OperationInput(query: QueryString(), body: object, pointer: pointer(to: name))
  }

  /// An element of an array as an input of its own.
  static func element(_ value: JSONValue, pointer: String) throws(ServiceError) -> OperationInput {
    guard case .object(let object) = value else {
      throw InputError.wrongType(.json(value, pointer: pointer), name: pointer, expected: "an object")
    }
    return OperationInput(query: QueryString(), body: object, pointer: pointer)
  }

  // MARK: Ending

  /// Refuses what was not asked for.
  public func finish() throws(ServiceError) {
    for item in query.items {
      let first = String(item.name.prefix { $0 != "." })
      if first == item.name ? known.contains(first) : nested.contains(first) { continue }
      throw unknown(
        known.contains(first) ? item.name : first, place: "in the query",
        details: ["parameter": .string(item.parameter)])
    }
    for member in body where !known.contains(member.name) {
      throw unknown(member.name, place: "", details: ["pointer": .string(pointer(to: member.name))])
    }
    if let raw, !known.contains(raw.member) {
      throw ServiceError(.invalidArgument, "This operation takes no such body.")
    }
  }

  private func unknown(_ name: String, place: String, details: JSONObject) -> ServiceError {
    let near = NearMatch.best(for: name, among: known)
    let hint =
      near.map { " Did you mean `\($0)`?" }
      ?? (known.isEmpty
        ? " It takes no members." : " Known are \(known.map { "`\($0)`" }.joined(separator: ", ")).")
    let spot = place.isEmpty ? "" : " " + place
    let owner = pointer.isEmpty ? "is not a member of this operation" : "is not a member of `\(pointer)`"
    return ServiceError(.invalidArgument, "`\(name)`\(spot) \(owner).\(hint)", details: details)
  }

  /// The error for a required member that is not there; names a given one that looks mistyped.
  func missing(_ name: String, expected: String) -> ServiceError {
    let unasked = body.members.map(\.name) + query.items.map { String($0.name.prefix { $0 != "." }) }
    // A likely reason: the member was meant, but mistyped. Whoever means one does not send thousands.
    let mistyped = unasked.lazy.filter { !known.contains($0) }.prefix(NearMatch.guesses).compactMap { given in
      NearMatch.best(for: given, among: known).map { (given, $0) }
    }.first
    let hint = mistyped.map { " `\($0.0)` is not known: did you mean `\($0.1)`?" } ?? ""
    return ServiceError(
      .invalidArgument, "`\(name)` is required: \(expected).\(hint)",
      details: ["pointer": .string(pointer(to: name)), "parameter": .string(name)])
  }
}
