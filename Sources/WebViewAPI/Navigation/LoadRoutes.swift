import HTTPModel
import WebViewCore

/// The operations that give a page something to show.
enum LoadRoutes {
  static let all = [
    load("loadURL", "/load/url") { input in .url(try input.requiredString("url", "an absolute URL")) },
    load("loadRequest", "/load/request") { input in .request(try input.loadRequest()) },
    load("loadSimulatedRequest", "/load/simulated") { input in
      guard var request = try input.object("request") else {
        throw input.missing("request", expected: "an object with the `url` of the document")
      }
      let content = LoadContent.simulated(try request.loadRequest(), try input.simulatedResponse())
      try request.finish()
      return content
    },
    load("loadHTML", "/load/html") { input in
      let html = try input.requiredString("html", "the text of a document")
      return .html(html, baseURL: try input.baseURL())
    },
    load("loadData", "/load/data", rawBody: .init(contentType: "application/octet-stream", member: "data")) {
      input in
      let bytes = try input.requiredBytes("data")
      return .data(
        bytes, mimeType: try input.mimeType(), encoding: try input.string("encoding") ?? "utf-8",
        baseURL: try input.baseURL() ?? "about:blank")
    },
    Operation.controller(
      "loadFile", .post, "/load/file", statuses: [200, 202], errors: .ofWaiting,
      decode: { input, context in
        (
          path: try input.requiredString("path", "the path of a file below the files directory"),
          access: try input.string("allowingReadAccessTo"), wait: try input.pageWait(context)
        )
      },
      run: { call, controller, context in
        let content = try await controller.file(
          call.path, allowingReadAccessTo: call.access, deadline: context.deadline)
        return try await load(content, call.wait, controller, context)
      }, encode: { answer, _ in LoadRoutes.answer(answer.0, wait: answer.1) }),
  ]

  @PageActor
  private static func load(
    _ content: LoadContent, _ wait: PageWait, _ controller: WebViewController, _ context: OperationContext
  ) async throws -> (LoadResult, PageWait) {
    let result = try await controller.load(
      content, wait: wait, deadline: context.deadline, started: context.started(when: wait))
    return (result, wait)
  }

  private static func load(
    _ id: String, _ path: String, rawBody: Operation.RawBody? = nil,
    _ content: @escaping @Sendable (inout OperationInput) throws -> LoadContent
  ) -> Operation {
    Operation.controller(
      id, .post, path, rawBody: rawBody, statuses: [200, 202], errors: .ofWaiting,
      decode: { input, context in (try content(&input), try input.pageWait(context)) },
      run: { call, controller, context in try await load(call.0, call.1, controller, context) },
      encode: { answer, _ in LoadRoutes.answer(answer.0, wait: answer.1) })
  }

  static func answer(_ result: LoadResult, wait: PageWait) -> OperationResult {
    .json(NavigationJSON.result(result), status: wait.isNone && result.accepted ? 202 : 200)
  }
}

extension OperationContext {
  func started(when wait: PageWait) -> (@PageActor @Sendable (Navigation) -> Void)? {
    wait.isNone ? started : nil
  }
}

extension OperationInput {
  func check(size: Int, of name: String, limit: Int) throws(ServiceError) {
    guard size > limit else { return }
    throw .tooLarge("`\(pointer(to: name))`", size: size, limit: limit, at: pointer(to: name))
  }

  mutating func baseURL() throws(ServiceError) -> String? {
    guard let url = try nullableString("baseURL") ?? nil else { return nil }
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), colon != url.startIndex,
      url.utf8[..<colon].allSatisfy({
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || "+-.0123456789".utf8.contains($0)
      }),
      url.utf8.allSatisfy({ $0 > 0x20 })
    else {
      throw ServiceError(
        .invalidArgument,
        "`\(pointer(to: "baseURL"))` must be an absolute URL, such as https://example.com/.",
        details: ["pointer": .string(pointer(to: "baseURL"))])
    }
    return url
  }

  mutating func mimeType() throws(ServiceError) -> String {
    let type = try requiredString("mimeType", "a media type such as text/html")
    guard ContentType.isMIMEType(type) else {
      throw ServiceError(
        .invalidArgument,
        "`\(pointer(to: "mimeType"))` must be a media type such as text/html, without parameters.",
        details: ["pointer": .string(pointer(to: "mimeType"))])
    }
    return type
  }
}
