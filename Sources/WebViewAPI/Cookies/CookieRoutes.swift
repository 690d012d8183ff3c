import WebViewCore

/// The cookies of a controller's store.
enum CookieRoutes {
  static let all = [
    Operation.controller(
      "getCookies", .get, "/cookies",
      decode: { input, _ in
        (
          try input.cookieFilter(withURL: true),
          try input.enumeration("format", as: CookieFormat.self) ?? .json
        )
      },
      run: { call, controller, context in
        (call.1, try await controller.cookies(call.0, deadline: context.deadline))
      },
      size: { $0.1.count * 256 },
      encode: { answer, _ in encode(answer.1, answer.0) }),
    Operation.controller(
      "setCookies", .post, "/cookies", decode: { input, _ in try input.cookies() },
      run: { cookies, controller, context in
        try await controller.setCookies(cookies, deadline: context.deadline)
      },
      encode: { results, _ in .json(["results": .array(results.map { .object(CookieJSON.result($0)) })]) }),
    Operation.controller(
      "deleteCookies", .delete, "/cookies", decode: { input, _ in try input.cookieFilter(withURL: false) },
      run: { filter, controller, context in
        try await controller.deleteCookies(filter, deadline: context.deadline)
      }, encode: { count, _ in .json(["deleted": JSONValue(count)]) }),
  ]

  private enum CookieFormat: String, CaseIterable, Sendable { case json, storageState, netscape }

  private static func encode(_ cookies: [Cookie], _ format: CookieFormat) -> OperationResult {
    switch format {
    case .json: .json(["cookies": .array(cookies.map { .object(CookieJSON.cookie($0)) })])
    case .storageState: .json(CookieJSON.storageState(cookies))
    case .netscape:
      OperationResult(
        content: .bytes(
          Array(CookieJSON.netscape(cookies).utf8), contentType: "text/plain; charset=utf-8",
          .page))
    }
  }
}
