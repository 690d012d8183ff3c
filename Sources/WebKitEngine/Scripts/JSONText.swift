import Foundation
import WebViewCore

/// JSON text for the page's runtime.
enum JSONText {
  static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
