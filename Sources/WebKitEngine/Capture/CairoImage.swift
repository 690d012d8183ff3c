import CPNG
import CWebKit
import GLibBridge
import WebViewCore

/// Pixels of a page, no longer drawn to: they can be read on any thread.
final class CairoImage: EngineImage {
  let width: Int
  let height: Int
  private let stride: Int
  /// Cairo's surfaces count their references atomically, and this one is only read.
  private let surface: OneThread<OpaquePointer>

  /// Takes over an image surface of format ARGB32; nil when it is not one.
  init?(owning surface: OpaquePointer) {
    guard cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE,
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      cairo_image_surface_get_format(surface) == CAIRO_FORMAT_ARGB32
        || cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24
    else {
      cairo_surface_destroy(surface)
      return nil
    }
    cairo_surface_flush(surface)
    width = Int(cairo_image_surface_get_width(surface))
    height = Int(cairo_image_surface_get_height(surface))
    stride = Int(cairo_image_surface_get_stride(surface))
    self.surface = OneThread(surface)
  }

  deinit { cairo_surface_destroy(surface.value) }

  /// Fast compression, measured on text, gradients and noise: snapshots are looked at more often than kept.
  private static let level: Int32 = 1
  private static let filters = PNG_FILTER_UP

  func encodePNG() throws -> [UInt8] {
    guard width > 0, height > 0, let pixels = cairo_image_surface_get_data(surface.value) else {
      throw ServiceError(.internalError, "The snapshot has no pixels.")
    }
    let isOpaque =
      cairo_image_surface_get_format(surface.value) == CAIRO_FORMAT_RGB24
      || webview_png_is_opaque(pixels, Int32(width), Int32(height), Int32(stride)) != 0
    var buffer = webview_png_buffer()
    defer { free(buffer.bytes) }
    let isDone = webview_png_encode(
      pixels, Int32(width), Int32(height), Int32(stride), isOpaque ? 0 : 1, Self.level, Self.filters, &buffer)
    guard isDone != 0, let bytes = buffer.bytes else {
      throw ServiceError(.internalError, "The snapshot could not be encoded.")
    }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: buffer.count))
  }
}
