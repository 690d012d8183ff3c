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
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folder = URL(fileURLWithPath: executable).deletingLastPathComponent().path
    for place in folders.map({ "\(folder)/\($0)/\(name)" }) {
      if let data = FileManager.default.contents(atPath: place) { return Array(data) }
    }
    throw ServiceError(
      .unavailable, "\(name) is missing: it belongs into \(folder)/\(folders[0]) or \(folder)/\(folders[1]).")
  }
}
