import WebViewCore

/// What is known of a navigation, and of the server of the document that it led to.
enum NavigationLookupRoutes {
  static let all = [
    Operation.controller(
      "getNavigation", .get, "/navigations/{navigationId}",
      decode: { input, _ in try input.requiredNavigationID() },
      run: { id, controller, _ in try controller.navigation(id) },
      encode: { navigation, _ in .json(navigation.json) }),
    Operation.controller(
      "getServerTrust", .get, "/server-trust", decode: { _, _ in () },
      run: { _, controller, _ in try controller.serverTrust() },
      encode: { trust, _ in .json(["serverTrust": trust.map { .object(json($0)) } ?? .null]) }),
  ]

  static func json(_ trust: ServerTrust) -> JSONObject {
    [
      "certificates": .array(trust.certificates.map { .string($0) }),
      "subject": JSONValue(trust.subject), "issuer": JSONValue(trust.issuer),
      "notBefore": JSONValue(trust.notBefore.map(Instant.text)),
      "notAfter": JSONValue(trust.notAfter.map(Instant.text)),
      "errors": .array(trust.faults.map { .string($0.rawValue) }),
    ]
  }
}

extension OperationInput {
  fileprivate mutating func requiredNavigationID() throws(ServiceError) -> NavigationID {
    try NavigationID(told: pathString("navigationId", "the id of a navigation"))
  }
}
