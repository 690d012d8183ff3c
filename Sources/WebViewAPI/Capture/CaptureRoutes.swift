import WebViewCore

/// Pictures of pages.
enum CaptureRoutes {
  static let all = [
    Operation.controller(
      "takeSnapshot", .get, "/snapshot", errors: [.webContentProcessTerminated],
      decode: { input, _ in try input.snapshotRequest() },
      run: { request, controller, context in
        try await controller.snapshot(request, deadline: context.deadline)
      },
      size: { $0.count },
      encode: { png, _ in OperationResult(content: .bytes(png, contentType: "image/png", .picture)) })
  ]
}

extension OperationInput {
  mutating func snapshotRequest() throws(ServiceError) -> SnapshotRequest {
    var request = SnapshotRequest()
    _ = try choice("region", among: ["viewport"])
    _ = try choice("format", among: ["png"])
    request.rectangle = try rectangle()
    request.snapshotWidth = try integer("snapshotWidth", in: SnapshotRequest.widths)
    request.afterScreenUpdates = try bool("afterScreenUpdates") ?? true
    request.allowTransparentBackground = try bool("allowTransparentBackground") ?? false
    return request
  }

  private mutating func rectangle() throws(ServiceError) -> SnapshotRequest.Rectangle? {
    let largest = Double(Viewport.range.upperBound)
    let x = try number("x", in: 0...largest)
    let y = try number("y", in: 0...largest)
    let width = try number("width", in: 0...largest, above: 0)
    let height = try number("height", in: 0...largest, above: 0)
    if x == nil, y == nil, width == nil, height == nil { return nil }
    guard let width else { throw missing("width", expected: "the width of the rectangle in CSS pixels") }
    guard let height else { throw missing("height", expected: "the height of the rectangle in CSS pixels") }
    return SnapshotRequest.Rectangle(x: x ?? 0, y: y ?? 0, width: width, height: height)
  }
}
