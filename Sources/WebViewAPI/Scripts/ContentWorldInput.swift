import WebViewCore

extension OperationInput {
  /// `contentWorld` in the body's form, or `contentWorld` and `contentWorldName` in the query.
  mutating func contentWorld() throws(ServiceError) -> ContentWorld {
    let name = "contentWorld"
    let byName = try query.has("contentWorldName") ? string("contentWorldName") : nil
    if byName == nil { note("contentWorldName") }
    if body["contentWorldName"] != nil {
      throw ServiceError(
        .invalidArgument,
        "`/contentWorldName` belongs to the query: in a body write `contentWorld` as {\"name\": …}.",
        details: ["pointer": "/contentWorldName"])
    }
    if case .object(let object)? = body[name] {
      note(name)
      if let item = query.items.first(where: { $0.name == name || $0.name == "contentWorldName" }) {
        throw ServiceError(
          .invalidArgument, "The content world is given in the query and in the body: give it once.",
          details: ["parameter": .string(item.parameter), "pointer": "/contentWorld"])
      }
      var members = try OperationInput.element(.object(object), pointer: pointer(to: name))
      let world = try members.requiredString("name", "the name of a content world")
      try members.finish()
      return .named(try checked(world, at: pointer(to: name) + "/name", parameter: nil))
    }
    let plain = try contentWorldWord()
    guard let byName else { return plain ?? .page }
    guard plain == nil else {
      throw ServiceError(
        .invalidArgument, "`contentWorld` and `contentWorldName` are given: give one of them.",
        details: ["parameter": "contentWorldName"])
    }
    return .named(try checked(byName, at: nil, parameter: "contentWorldName"))
  }

  private mutating func contentWorldWord() throws(ServiceError) -> ContentWorld? {
    guard let given = try find("contentWorld") else { return nil }
    switch given {
    case .json(.string("page"), _): return .page
    case .json(.string("defaultClient"), _): return .defaultClient
    case .json:
      throw InputError.wrongValue(given, "must be \"page\", \"defaultClient\" or {\"name\": …}")
    case .text(let items):
      guard items.count == 1 else { throw InputError.twice(items) }
      switch items[0].value {
      case "page": return .page
      case "defaultClient": return .defaultClient
      default:
        throw InputError.wrongValue(
          given, "must be `page` or `defaultClient` in the query (other worlds: `contentWorldName`)")
      }
    }
  }

  private func checked(_ world: String, at pointer: String?, parameter: String?) throws(ServiceError)
    -> String
  {
    guard Text.isName(world) else {
      var details: JSONObject = [:]
      if let pointer { details["pointer"] = .string(pointer) }
      if let parameter { details["parameter"] = .string(parameter) }
      throw ServiceError(
        .invalidArgument, "The name of a content world has 1 to 128 characters and no control characters.",
        details: details)
    }
    return world
  }
}
