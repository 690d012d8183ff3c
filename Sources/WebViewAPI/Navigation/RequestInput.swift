import WebViewCore

extension OperationInput {
  /// The members of a request, side by side in this object.
  mutating func loadRequest() throws(ServiceError) -> LoadRequest {
    let url = try requiredString("url", "an absolute URL")
    let method = try string("method") ?? "GET"
    let headers = try headers("headers", repeatable: false) ?? []
    let body = try bytes("body")
    let seconds =
      try number("timeoutInterval", in: 0...Self.longestInterval, above: 0)
      ?? LoadRequest.defaultTimeoutInterval
    let policy = try enumeration("cachePolicy", as: CachePolicy.self) ?? .useProtocolCachePolicy
    return LoadRequest(
      url: url, method: method, headers: headers, body: body, timeoutInterval: seconds, cachePolicy: policy)
  }

  /// A day.
  private static var longestInterval: Double { 86_400 }

  mutating func simulatedResponse() throws(ServiceError) -> SimulatedResponse {
    var response = SimulatedResponse(headers: [], data: [])
    if var members = try object("response") {
      response.statusCode = try members.integer("statusCode", in: 200...599) ?? 200
      response.headers = try members.headers("headers", repeatable: true) ?? []
      try members.finish()
    }
    let html = try string("html")
    let data = try bytes("data")
    switch (html, data) {
    case (let html?, nil):
      response.data = Array(html.utf8)
      try declareUTF8(&response.headers)
    case (nil, let data?): response.data = data
    case (nil, nil): throw missing("html", expected: "text in `html` or `data`, or bytes in `dataBase64`")
    case (.some, .some):
      throw ServiceError(
        .invalidArgument, "`html` and the data are given: give one of them.",
        details: ["pointer": .string(pointer(to: "html"))])
    }
    return response
  }

  /// The bytes of `html` are UTF-8, whatever the type that they are shown as.
  private func declareUTF8(_ headers: inout [LoadRequest.Header]) throws(ServiceError) {
    guard let index = headers.firstIndex(where: { $0.name.lowercased() == "content-type" }) else {
      return headers.append(.init(name: "Content-Type", value: "text/html; charset=utf-8"))
    }
    guard let type = ContentType(headers[index].value) else { return }
    guard let charset = type.charset else {
      headers[index].value += "; charset=utf-8"
      return
    }
    guard ["utf-8", "utf8"].contains(charset.lowercased()) else {
      throw ServiceError(
        .invalidArgument, "`html` is sent as UTF-8: leave the charset out, or give bytes in `dataBase64`.",
        details: ["pointer": .string("/response/headers\(JSONPointer.token(headers[index].name))")])
    }
  }

  /// An object of strings.
  /// - Parameter repeatable: a header may come more than once, as an array.
  private mutating func headers(
    _ name: String, repeatable: Bool
  ) throws(ServiceError) -> [LoadRequest.Header]? {
    let place = pointer(to: name)
    guard let object = try jsonObject(name) else { return nil }
    var headers: [LoadRequest.Header] = []
    for member in object {
      let pointer = place + JSONPointer.token(member.name)
      switch member.value {
      case .string(let value): headers.append(.init(name: member.name, value: value))
      case .array(let values) where repeatable && values != []:
        for (index, value) in values.enumerated() {
          guard case .string(let text) = value else {
            throw InputError.wrongType(
              .json(value, pointer: "\(pointer)/\(index)"), name: name, expected: "a string")
          }
          headers.append(.init(name: member.name, value: text))
        }
      default:
        throw InputError.wrongType(
          .json(member.value, pointer: pointer), name: name,
          expected: repeatable ? "a string, or an array of strings that is not empty" : "a string")
      }
    }
    return headers
  }

  /// At most one of `name` (UTF-8 text) and `nameBase64`.
  private mutating func bytes(_ name: String) throws(ServiceError) -> [UInt8]? {
    note(name)
    note(name + "Base64")
    let isGiven = [name, name + "Base64"].contains { body[$0] != nil || !query.values(of: $0).isEmpty }
    return isGiven ? try requiredBytes(name) : nil
  }
}
