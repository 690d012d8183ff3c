import HTTPModel
import WebViewCore

/// Loading again, waiting, stopping, and the text of what was loaded.
enum NavigationRoutes {
  static let all = [
    step("reload", "/reload") { input throws(ServiceError) in
      .reload(fromOrigin: try input.bool("fromOrigin") ?? false)
    },
    Operation.controller(
      "waitForLoad", .post, "/wait", errors: .ofWaiting,
      decode: { input, context in
        let wait = try input.loadWait(context)
        let navigation = try input.navigationID("navigationId")
        let after = try input.navigationID("after")
        guard navigation == nil || after == nil else {
          throw ServiceError(
            .invalidArgument, "`navigationId` and `after` are given: give one of them.",
            details: ["pointer": "/after"])
        }
        return (wait: wait, navigation: navigation, after: after)
      },
      run: { call, controller, context in
        try await controller.waitForLoad(
          call.wait, navigation: call.navigation, after: call.after, deadline: context.deadline)
      }, encode: { result, _ in .json(NavigationJSON.result(result)) }),
    Operation.controller(
      "stopLoading", .post, "/stop", statuses: [204],
      decode: { input, _ in try input.navigationID("navigationId") },
      run: { id, controller, _ in try controller.stopLoading(id) }, encode: { _, _ in .nothing }),
    Operation.controller(
      "getHTML", .get, "/html", errors: [.webContentProcessTerminated, .unsupported],
      decode: { input, _ in try input.enumeration("format", as: HTMLFormat.self) ?? .json },
      run: { format, controller, context in
        let deadline = context.deadline
        let text =
          format == .text
          ? try await controller.text(deadline: deadline) : try await controller.html(deadline: deadline)
        return (format, text)
      }, size: { $0.1?.utf8.count ?? 0 }, encode: { answer, _ in encode(answer.0, answer.1) }),
  ]

  private enum HTMLFormat: String, CaseIterable, Sendable { case json, html, text }

  private static func encode(_ format: HTMLFormat, _ text: String?) -> OperationResult {
    switch format {
    case .json: .json(["html": JSONValue(text)])
    case .html: page(text, "text/html; charset=utf-8")
    case .text: page(text, "text/plain; charset=utf-8")
    }
  }

  private static func page(_ text: String?, _ type: String) -> OperationResult {
    OperationResult(content: .bytes(Array((text ?? "").utf8), contentType: type, .page))
  }

  /// To what was loaded before.
  static func step(
    _ id: String, _ path: String,
    _ step: @escaping @Sendable (inout OperationInput) throws(ServiceError) -> WebViewController.HistoryStep
  ) -> Operation {
    Operation.controller(
      id, .post, path, statuses: [200, 202], errors: .ofWaiting,
      decode: { input, context in (step: try step(&input), wait: try input.pageWait(context)) },
      run: { call, controller, context in
        let result = try await controller.navigate(
          call.step, wait: call.wait, deadline: context.deadline, started: context.started(when: call.wait))
        return (result, call.wait)
      }, encode: { answer, _ in LoadRoutes.answer(answer.0, wait: answer.1) })
  }
}

extension OperationInput {
  mutating func navigationID(_ name: String) throws(ServiceError) -> NavigationID? {
    guard let text = try string(name) else { return nil }
    return try NavigationID(told: text)
  }
}

extension NavigationID {
  /// An id as load results carry it; whether there is such a navigation, its controller knows.
  init(told text: String) throws(ServiceError) {
    guard text.hasPrefix("n"), let number = Int(text.dropFirst()),
      NavigationID(number: number).description == text
    else {
      throw ServiceError(
        .notFound, "There is no navigation `\(text.prefix(60))`.", details: ["kind": "navigation"])
    }
    self.init(number: number)
  }
}
