import CWebKit
import GLibBridge
import WebViewCore

/// WebKit's own URL parser (WTF::URLParser, the URL Standard), reached through a request object.
enum EngineURL {
  /// nil when the text is no absolute URL.
  static func parse(_ text: String) -> ParsedURL? {
    // A NUL would end the C string; the standard refuses it in hosts and drops it nowhere.
    guard !text.utf8.contains(0) else { return nil }
    // The request takes its bytes for Latin-1: beyond ASCII they are written as the standard writes them
    // anyway, which hosts undo before IDNA. The tab in front is stripped from every URL that is valid, and
    // left where the parser gives the text back because it is not.
    var given = "\t"
    for byte in text.utf8 {
      if byte < 0x80 {
        given.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        given += "%" + hexadecimal[Int(byte >> 4)] + hexadecimal[Int(byte & 15)]
      }
    }
    guard let request = webkit_uri_request_new(given) else { return nil }
    defer { g_object_unref(request.raw) }
    guard let parsed = string(webkit_uri_request_get_uri(request)), !parsed.hasPrefix("\t"),
      let colon = parsed.firstIndex(of: ":"), colon != parsed.startIndex
    else { return nil }
    return ParsedURL(text: parsed, scheme: String(parsed[..<colon]))
  }

  private static let hexadecimal = "0123456789ABCDEF".map { String($0) }
}
