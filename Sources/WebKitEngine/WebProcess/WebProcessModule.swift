import Foundation
import WebViewCore

/// The library of ours that WebKit loads into its web processes.
enum WebProcessModule {
  static let name = "libWebProcessExtension.so"
  /// Beside the executable, as the build leaves it; else where an installation puts it.
  private static let folders = [".", "../lib/webview-server"]

  /// The directory for WebKit, which loads every library in it, and shows it to the sandbox of each page.
  static func directory() throws(ServiceError) -> String {
    let path = try ProgramFiles.path(of: name, in: folders)
    let directory = (path as NSString).deletingLastPathComponent
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { $0.hasSuffix(".so") && $0 != name }
    guard others.isEmpty else {
      throw ServiceError(
        .unavailable,
        "Pages would be given all libraries in \(directory): move \(others.sorted().joined(separator: ", ")) elsewhere."
      )
    }
    return directory
  }
}
