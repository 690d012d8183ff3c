import CWebKit
import GLibBridge
import WebViewCore

/// Whether web processes can be boxed here. Enabling the sandbox where bubblewrap does not work aborts the
/// whole program, so the same kind of box is tried first.
struct Sandbox {
  var state: EngineInformation.SandboxState
  var reason: String?

  static func preflight(isWanted: Bool) -> Sandbox {
    guard isWanted else { return Sandbox(state: .off, reason: "switched off") }
    var status: Int32 = 0
    let arguments = [
      "bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "true",
    ]
    var output: UnsafeMutablePointer<CChar>?
    defer { g_free(output) }
    do {
      try throwing { error in
        withArguments(arguments) {
          g_spawn_sync(nil, $0, nil, G_SPAWN_SEARCH_PATH, nil, nil, nil, &output, &status, &error)
        }
      }
      try throwing { g_spawn_check_wait_status(status, &$0) }
      return Sandbox(state: .on, reason: nil)
    } catch {
      let said = string(output)?.split(separator: "\n").first.map(String.init)
      return Sandbox(state: .off, reason: "bubblewrap does not work here: \(said ?? error.message)")
    }
  }

  private static func withArguments<Result>(
    _ arguments: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copies = arguments.map { g_strdup($0) } + [nil]
    defer { for copy in copies { g_free(copy) } }
    return body(&copies)
  }
}
