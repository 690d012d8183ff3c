import CWebKit

/// The font families of this machine, from the library that the engine draws text with.
enum FontFamilies {
  /// Sorted by name.
  static func all() -> [String] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
    var count: gint = 0
    pango_font_map_list_families(pango_cairo_font_map_get_default(), &list, &count)
    defer { g_free(list) }
    return (0..<Int(count)).compactMap { string(pango_font_family_get_name(list?[$0])) }.sorted()
  }
}
