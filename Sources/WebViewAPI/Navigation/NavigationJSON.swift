import Foundation
import WebViewCore

enum NavigationJSON {
  static func result(_ result: LoadResult) -> JSONObject {
    [
      "loaded": .bool(result.isLoaded), "accepted": .bool(result.accepted),
      "navigation": result.navigation.map { .object(navigation($0)) } ?? .null,
    ]
  }

  static func navigation(_ navigation: Navigation) -> JSONObject {
    let response = navigation.response
    return [
      "id": .string(navigation.id.description), "url": .string(navigation.url),
      "outcome": JSONValue(navigation.outcome?.rawValue), "httpStatus": JSONValue(response?.status),
      "headers": response.flatMap { $0.status == nil ? nil : .object(headers($0.headers)) } ?? .null,
      "mimeType": JSONValue(response?.mimeType), "encoding": JSONValue(response?.encoding),
      "redirects": .array(navigation.redirects.map { .object(redirect($0)) }),
      "clientRedirectOf": JSONValue(navigation.clientRedirectOf?.description),
      "downloadId": JSONValue(navigation.downloadID),
      "error": navigation.error.map { .object(ErrorJSON.load($0)) } ?? .null,
      "startedAt": .string(Instant.text(navigation.startedAt)),
      "timings": [
        "commit": JSONValue(navigation.timings.commit),
        "domContentLoaded": JSONValue(navigation.timings.domContentLoaded),
        "finish": JSONValue(navigation.timings.finish),
      ],
    ]
  }

  private static func redirect(_ redirect: Navigation.Redirect) -> JSONObject {
    [
      "url": .string(redirect.url), "status": JSONValue(redirect.status),
      "kind": .string(redirect.kind.rawValue),
    ]
  }

  /// By name as it came; fields of one name (in any case) are joined as HTTP allows.
  private static func headers(_ headers: [MainResourceResponse.Header]) -> JSONObject {
    var order: [String] = []
    var joined: [String: (name: String, value: String)] = [:]
    for header in headers {
      let key = header.name.lowercased()
      if let earlier = joined[key] {
        joined[key] = (earlier.name, earlier.value + ", " + header.value)
      } else {
        order.append(key)
        joined[key] = (header.name, header.value)
      }
    }
    return JSONObject(
      members: order.compactMap { joined[$0] }.map { .init(name: $0.name, value: .string($0.value)) })
  }
}
