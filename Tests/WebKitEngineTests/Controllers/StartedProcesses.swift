@testable import WebKitEngine

extension PageProcesses {
  /// Oldest first.
  var all: [Process] { entries.map(\.process) }
}
