extension WebViewController {
  /// PNG bytes.
  public func snapshot(_ request: SnapshotRequest, deadline: Deadline) async throws -> [UInt8] {
    try requireProcess()
    let settings = page.settings
    try request.validate(viewport: settings.viewport, zoom: settings.pageZoom, limits: context.limits)
    let image: any EngineImage = try await engineCall(.page, deadline: deadline) { page, done in
      page.snapshot(request) { done($0.mapError { $0 }) }
    }
    return try await call(.independent, deadline: deadline) { [context] in
      try await context.background.run { try image.encodePNG() }
    }
  }
}

extension SnapshotRequest {
  /// Throws `invalidArgument` for what lies beyond the viewport or the limits.
  /// - Parameter zoom: the page's: its viewport has so many fewer CSS pixels than the view has pixels.
  func validate(viewport: Viewport, zoom: Double = 1, limits: Limits) throws(ServiceError) {
    var width = Double(viewport.width)
    var height = Double(viewport.height)
    if let rectangle {
      for (name, value, isSize) in [
        ("x", rectangle.x, false), ("y", rectangle.y, false), ("width", rectangle.width, true),
        ("height", rectangle.height, true),
      ] where !value.isFinite || value < 0 || (isSize && value == 0) {
        throw ServiceError(
          .invalidArgument, "\(name) is \(isSize ? "above" : "at least") 0.",
          details: ["parameter": .string(name), "minimum": 0])
      }
      let visible = (width: width / zoom, height: height / zoom)
      for (name, end, limit) in [
        ("width", rectangle.x + rectangle.width, visible.width),
        ("height", rectangle.y + rectangle.height, visible.height),
      ] where end > limit {
        throw ServiceError(
          .invalidArgument,
          "The rectangle ends beyond the viewport, which shows \(JSONNumber(visible.width).literal) × "
            + "\(JSONNumber(visible.height).literal) CSS pixels.",
          details: [
            "parameter": .string(name),
            "viewport": ["width": JSONValue(visible.width), "height": JSONValue(visible.height)],
          ])
      }
      width = rectangle.width * zoom
      height = rectangle.height * zoom
    }
    if let snapshotWidth {
      let range = SnapshotRequest.widths
      guard range.contains(snapshotWidth) else {
        throw ServiceError(
          .invalidArgument,
          "snapshotWidth is a whole number from \(range.lowerBound) to \(range.upperBound).",
          details: [
            "parameter": "snapshotWidth", "minimum": JSONValue(range.lowerBound),
            "maximum": JSONValue(range.upperBound),
          ])
      }
      height = (height * Double(snapshotWidth) / width).rounded()
      width = Double(snapshotWidth)
    }
    guard max(1, width) * max(1, height) <= Double(limits.snapshotPixels) else {
      throw ServiceError(
        .invalidArgument, "The picture would have more than \(limits.snapshotPixels) pixels.",
        details: ["parameter": "snapshotWidth", "maximumPixels": JSONValue(limits.snapshotPixels)])
    }
  }
}
