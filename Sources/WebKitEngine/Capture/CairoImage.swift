import CPNG
import CWebKit
import GLibBridge
import WebViewCore

/// Pixels of a page, no longer drawn to, and the part of them that is wanted. Cutting, scaling and encoding take
/// their time: they happen in `encodePNG`, on any thread.
final class CairoImage: EngineImage {
  /// In the surface's pixels, fractions allowed; and the picture's size.
  struct Cut {
    let x, y, width, height: Double
    let outputWidth, outputHeight: Int
  }

  private let cut: Cut
  /// Cairo's surfaces count their references atomically, and this one is only read.
  private let surface: OneThread<OpaquePointer>

  /// Takes over an image surface of format ARGB32; nil when it is not one.
  init?(owning surface: OpaquePointer, cut: Cut) {
    guard cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE,
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      cairo_image_surface_get_format(surface) == CAIRO_FORMAT_ARGB32
        || cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24
    else {
      cairo_surface_destroy(surface)
      return nil
    }
    cairo_surface_flush(surface)
    self.cut = cut
    self.surface = OneThread(surface)
  }

  deinit { cairo_surface_destroy(surface.value) }

  var width: Int { cut.outputWidth }
  var height: Int { cut.outputHeight }

  /// Fast compression, measured on text, gradients and noise: snapshots are looked at more often than kept.
  private static let level: Int32 = 1
  private static let filters = PNG_FILTER_UP

  func encodePNG() throws -> [UInt8] {
    if isWhole { return try Self.encode(surface.value) }
    guard let drawn = drawn() else {
      throw ServiceError(.internalError, "The snapshot could not be drawn.")
    }
    defer { cairo_surface_destroy(drawn) }
    return try Self.encode(drawn)
  }

  private var isWhole: Bool {
    cut.x == 0 && cut.y == 0 && cut.outputWidth == Int(cairo_image_surface_get_width(surface.value))
      && cut.outputHeight == Int(cairo_image_surface_get_height(surface.value))
  }

  private func drawn() -> OpaquePointer? {
    let output = cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(cut.outputWidth), Int32(cut.outputHeight))
    guard let output, let context = cairo_create(output) else { return nil }
    let scale = Double(cut.outputWidth) / cut.width
    cairo_scale(context, scale, Double(cut.outputHeight) / cut.height)
    cairo_set_source_surface(context, surface.value, -cut.x, -cut.y)
    cairo_pattern_set_filter(cairo_get_source(context), scale == 1 ? CAIRO_FILTER_GOOD : CAIRO_FILTER_BEST)
    // Beyond its edges the picture repeats its last pixels: an edge must not fade into nothing.
    cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
    cairo_paint(context)
    cairo_destroy(context)
    cairo_surface_flush(output)
    return output
  }

  private static func encode(_ surface: OpaquePointer) throws -> [UInt8] {
    let width = cairo_image_surface_get_width(surface)
    let height = cairo_image_surface_get_height(surface)
    let stride = cairo_image_surface_get_stride(surface)
    guard width > 0, height > 0, let pixels = cairo_image_surface_get_data(surface) else {
      throw ServiceError(.internalError, "The snapshot has no pixels.")
    }
    let isOpaque =
      cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24
      || webview_png_is_opaque(pixels, width, height, stride) != 0
    var buffer = webview_png_buffer()
    defer { free(buffer.bytes) }
    let isDone = webview_png_encode(
      pixels, width, height, stride, isOpaque ? 0 : 1, level, filters, &buffer)
    guard isDone != 0, let bytes = buffer.bytes else {
      throw ServiceError(.internalError, "The snapshot could not be encoded.")
    }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: buffer.count))
  }
}
