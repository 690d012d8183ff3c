import HTTPModel
import WebViewCore

/// What a document was made of.
enum SourceRoutes {
  static let all = [
    Operation.controller(
      "getSource", .get, "/source", errors: [.webContentProcessTerminated], decode: { _, _ in },
      run: { _, controller, context in try await controller.source(deadline: context.deadline) },
      size: { $0.bytes.count },
      encode: { source, _ in
        OperationResult(content: .bytes(source.bytes, contentType: source.contentType, .page))
      })
  ]
}
