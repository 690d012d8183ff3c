import Foundation
import GLibBridge
import WebViewCore

/// The X display that pages are drawn on: somebody's, or a private one that ends with us.
struct DisplayConnection: Sendable {
  let name: String
  /// nil when the display is not ours.
  let xvfb: Xvfb?

  /// To be called on the main thread, before GTK is initialized: Xvfb ends with the thread that started it.
  static func open(
    _ setting: ServerConfiguration.Display, environment: [String: String], reapedBy loop: LoopExecutor,
    log: Log
  ) throws(ServiceError) -> DisplayConnection {
    let connection: DisplayConnection
    switch setting {
    case .number(let name):
      connection = DisplayConnection(name: name, xvfb: nil)
    case .automatic:
      if let name = environment["DISPLAY"], !name.isEmpty {
        connection = DisplayConnection(name: name, xvfb: nil)
      } else {
        do {
          let xvfb = try Xvfb.start(reapedBy: loop) { log.write(.debug, $0, ("program", .text("Xvfb"))) }
          connection = DisplayConnection(name: xvfb.display, xvfb: xvfb)
        } catch {
          throw ServiceError(.unavailable, "No private display: \(error).")
        }
      }
    }
    setenv("DISPLAY", connection.name, 1)
    // Where a desktop names a Wayland display too, GTK would take that one.
    setenv("GDK_BACKEND", "x11", 1)
    return connection
  }
}
