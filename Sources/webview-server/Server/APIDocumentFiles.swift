import Foundation
import WebViewAPI
import WebViewCore

/// The published contract, as files that come with the program.
enum APIDocumentFiles {
  /// Beside the executable, as the build leaves them; else where an installation puts them.
  private static let folders = ["webview-server_WebViewAPI.resources", "../share/webview-server"]

  static func read() throws(ServiceError) -> APIDocuments {
    APIDocuments(openAPI: try file("openapi.json"), asyncAPI: try file("asyncapi.json"))
  }

  private static func file(_ name: String) throws(ServiceError) -> [UInt8] {
    let path = try ProgramFiles.path(of: name, in: folders)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServiceError(.unavailable, "\(path) cannot be read.")
    }
    return Array(data)
  }
}
