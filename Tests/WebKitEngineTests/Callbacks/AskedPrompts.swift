import CWebKit
import GLibBridge
import WebViewCore

@testable import WebKitEngine

/// The prompts that WebKit asked for, whoever answered them: without it a test of something that does not
/// happen would not tell whether it was asked for.
@PageActor
enum AskedPrompts {
  /// The signals of a view by which WebKit asks.
  static let signals = [
    "authenticate", "context-menu", "create", "enter-fullscreen", "leave-fullscreen", "permission-request",
    "print",
    "query-permission-state", "run-color-chooser", "run-file-chooser", "script-dialog", "show-notification",
    "show-option-menu",
  ]

  private static var names: [UnsafeMutableRawPointer: [String]] = [:]

  private static let isWatching: Bool = {
    for signal in signals {
      let identifier = g_signal_lookup(signal, webkit_web_view_get_type())
      guard identifier != 0 else { return false }
      g_signal_add_emission_hook(
        identifier, 0,
        { hint, _, values, _ in
          let view = g_value_get_object(values)!
          let name = String(cString: g_signal_name(hint!.pointee.signal_id))
          let told = OneThread((view, name))
          PageActor.assumeIsolated { names[told.value.0]?.append(told.value.1) }
          return 1
        }, nil, nil)
    }
    return true
  }()

  /// Names of the signals that were emitted on the page's view while `body` ran.
  static func during(_ page: WebKitPage, _ body: @PageActor () async throws -> Void) async throws -> [String]
  {
    guard isWatching else { throw TestPage.Timeout(description: "a signal is unknown") }
    names[page.view.raw] = []
    defer { names[page.view.raw] = nil }
    try await body()
    return names[page.view.raw] ?? []
  }
}
