extension Navigation {
  /// The contract's form, in load results and in the details of a load's timeout.
  public var json: JSONObject {
    [
      "id": .string(id.description),
      "url": .string(url),
      "outcome": JSONValue(outcome?.rawValue),
      "httpStatus": JSONValue(response?.status),
      "headers": response.map(\.headersJSON) ?? .null,
      "mimeType": JSONValue(response?.mimeType),
      "encoding": JSONValue(response?.encoding),
      "redirects": .array(
        redirects.map {
          ["url": .string($0.url), "status": JSONValue($0.status), "kind": .string($0.kind.rawValue)]
        }),
      "clientRedirectOf": JSONValue(clientRedirectOf?.description),
      // Of the contract, and not known yet.
      "downloadId": .null,
      "error": error.map { .object($0.json) } ?? .null,
      "startedAt": .string(Instant.text(startedAt)),
      "timings": [
        "commit": JSONValue(timings.commit), "domContentLoaded": JSONValue(timings.domContentLoaded),
        "finish": JSONValue(timings.finish),
      ],
    ]
  }
}

extension LoadError {
  /// An error object without a request.
  public var json: JSONObject {
    ["code": .string(code.rawValue), "message": .string(message), "details": [:]]
  }
}

extension MainResourceResponse {
  /// Lower-case names; those that come more than once are joined, as HTTP allows. null without HTTP.
  fileprivate var headersJSON: JSONValue {
    guard status != nil else { return .null }
    var places: [String: Int] = [:]
    var joined: [(name: String, value: String)] = []
    for header in headers {
      let name = header.name.lowercased()
      if let place = places[name] {
        joined[place].value += ", " + header.value
      } else {
        places[name] = joined.count
        joined.append((name, header.value))
      }
    }
    var object = JSONObject()
    for header in joined { object.append(header.name, .string(header.value)) }
    return .object(object)
  }
}
