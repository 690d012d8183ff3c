import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  /// Cairo's, for images.
  private static let maximumSide = 32_767.0

  typealias Captured = @PageActor (Result<any EngineImage, ServiceError>) -> Void

  func snapshot(_ request: SnapshotRequest, completion: @escaping Captured) {
    withDocument { $0.capture(request, completion: completion) }
  }

  private func capture(_ request: SnapshotRequest, completion: @escaping Captured) {
    guard canRunScripts else {
      return completion(
        .failure(
          ServiceError(.webContentProcessTerminated, "The page's process has ended: load something first.")))
    }
    let view = view
    let options =
      request.allowTransparentBackground
      ? WEBKIT_SNAPSHOT_OPTIONS_TRANSPARENT_BACKGROUND : WEBKIT_SNAPSHOT_OPTIONS_NONE
    // The page's process lays out and paints its current state for each snapshot: the picture is never older
    // than the request.
    let zoom = currentSettings.pageZoom
    webkit_web_view_get_snapshot(
      view, WEBKIT_SNAPSHOT_REGION_VISIBLE, options, nil, Completion.callback,
      Completion.data { [weak self] result in
        var error: GErrorPointer = nil
        guard let surface = webkit_web_view_get_snapshot_finish(view, result, &error) else {
          let failure = error.map { GLibError(consuming: $0) }
          guard self?.canRunScripts == true else {
            return completion(
              .failure(
                ServiceError(.webContentProcessTerminated, "The page's process ended during the snapshot.")))
          }
          return completion(
            .failure(
              ServiceError(
                .internalError, "The engine took no snapshot: \(failure?.message ?? "no reason told")")))
        }
        completion(Self.finish(surface, request, zoom: zoom))
      })
  }

  /// What is to be cut out and how large it becomes. A CSS pixel is a device pixel times the page's zoom.
  private static func finish(
    _ surface: OpaquePointer, _ request: SnapshotRequest, zoom: Double
  ) -> Result<any EngineImage, ServiceError> {
    let width = Double(cairo_image_surface_get_width(surface))
    let height = Double(cairo_image_surface_get_height(surface))
    var area = SnapshotRequest.Rectangle(x: 0, y: 0, width: width, height: height)
    if let asked = request.rectangle {
      area = .init(
        x: asked.x * zoom, y: asked.y * zoom, width: asked.width * zoom, height: asked.height * zoom)
    }
    // The viewport may have shrunk since the rectangle was checked.
    guard area.x >= 0, area.y >= 0, area.width > 0, area.height > 0, area.x + area.width <= width + 0.5,
      area.y + area.height <= height + 0.5
    else {
      cairo_surface_destroy(surface)
      return .failure(
        ServiceError(
          .invalidArgument, "The rectangle is not inside of the viewport.",
          details: ["width": .init(width / zoom), "height": .init(height / zoom)]))
    }
    // As numbers with a fraction until they are known to be small enough to be counted.
    let scale = request.snapshotWidth.map { Double($0) / area.width } ?? 1
    let output = (
      width: max(1, (request.snapshotWidth.map(Double.init) ?? area.width).rounded()),
      height: max(1, (area.height * scale).rounded())
    )
    guard output.width <= maximumSide, output.height <= maximumSide else {
      cairo_surface_destroy(surface)
      return .failure(
        ServiceError(
          .invalidArgument, "The picture would have more than \(Int(maximumSide)) pixels in a row or column.",
          details: ["parameter": "snapshotWidth", "maximum": .init(maximumSide)]))
    }
    // Less than a hundredth of a pixel has no inverse that cairo could scale by.
    let cut = CairoImage.Cut(
      x: area.x, y: area.y, width: max(area.width, 0.01), height: max(area.height, 0.01),
      outputWidth: Int(output.width), outputHeight: Int(output.height))
    guard let image = CairoImage(owning: surface, cut: cut) else {
      return .failure(ServiceError(.internalError, "The snapshot could not be drawn."))
    }
    return .success(image)
  }
}
