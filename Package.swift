// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "webview-server",
  products: [
    .executable(name: "webview-server", targets: ["webview-server"]),
    // The program finds it beside itself, or where an installation puts it: see WebProcessModule.
    .library(name: "WebProcessExtension", type: .dynamic, targets: ["WebProcessExtension"]),
  ],
  targets: [
    // MARK: C libraries – one module each, imported by exactly one Swift target
    .systemLibrary(name: "CGLib", pkgConfig: "gio-unix-2.0"),
    .systemLibrary(name: "CSoup", pkgConfig: "libsoup-3.0"),
    .systemLibrary(name: "CWebKit", pkgConfig: "webkit2gtk-4.1"),
    .systemLibrary(name: "CWebExtension", pkgConfig: "webkit2gtk-web-extension-4.1"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),

    // MARK: Floor 0 – the product, and HTTP as values
    /// Values, rules, state machines, ports and use cases. No C, no socket.
    .target(name: "WebViewCore", dependencies: ["WebProcessCore"], swiftSettings: strict),
    /// Request, response, route, router and WebSocket message. No socket.
    .target(name: "HTTPModel", swiftSettings: strict),
    /// What the program and its web processes agree on: messages, and rules of requests. No C, no Foundation.
    .target(name: "WebProcessCore", swiftSettings: strict),

    // MARK: Floor 1 – GLib for Swift
    /// Executors on main contexts, references, signals, GError, GAsyncResult as async.
    .target(name: "GLibBridge", dependencies: ["CGLib"], swiftSettings: strict),

    // MARK: Floor 2 – adapters, blind to each other
    /// The core's engine ports on WebKitGTK.
    .target(
      name: "WebKitEngine",
      dependencies: ["WebViewCore", "WebProcessCore", "GLibBridge", "CWebKit", "CPNG"],
      swiftSettings: strict,
      // The engine's own recvmsg is WebKit's too: see LaunchSocket.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=recvmsg"])]),
    /// The engine's part in WebKit's web processes: a library of its own, loaded there.
    .target(
      name: "WebProcessExtension", dependencies: ["WebProcessCore", "CWebExtension"], swiftSettings: strict,
      // The sandbox of a web process shows it /usr/lib, and not where a toolchain lies.
      linkerSettings: [.unsafeFlags(["-static-stdlib"])]),
    /// Serves an HTTPModel handler on libsoup.
    .target(
      name: "SoupTransport", dependencies: ["HTTPModel", "GLibBridge", "CSoup"],
      swiftSettings: strict),
    /// The core's store ports on SQLite.
    .target(name: "SQLiteStore", dependencies: ["WebViewCore", "CSQLite"], swiftSettings: strict),

    // MARK: Floor 3 – the contract
    /// Operation tables, wire forms, error to status, the channel's protocol.
    .target(
      name: "WebViewAPI", dependencies: ["WebViewCore", "HTTPModel"],
      // The published contract, made from openapi/ by scripts/bundle-openapi; the program serves it.
      resources: [.copy("Resources/openapi.json"), .copy("Resources/asyncapi.json")], swiftSettings: strict),

    // MARK: Floor 4 – the program
    /// Configuration, wiring, signals.
    .executableTarget(
      name: "webview-server",
      dependencies: [
        "WebViewCore", "HTTPModel", "GLibBridge", "WebKitEngine", "SoupTransport", "SQLiteStore",
        "WebViewAPI",
      ], swiftSettings: strict),

    // MARK: Tests
    /// Fake engine, in-memory stores, manual clock.
    .target(
      name: "WebViewTesting", dependencies: ["WebViewCore", "HTTPModel", "WebViewAPI"],
      swiftSettings: strict),
    .testTarget(
      name: "WebViewCoreTests", dependencies: ["WebViewCore", "WebViewTesting"], swiftSettings: strict),
    .testTarget(name: "WebProcessCoreTests", dependencies: ["WebProcessCore"], swiftSettings: strict),
    .testTarget(name: "HTTPModelTests", dependencies: ["HTTPModel"], swiftSettings: strict),
    .testTarget(name: "GLibBridgeTests", dependencies: ["GLibBridge", "CGLib"], swiftSettings: strict),
    .testTarget(
      name: "WebKitEngineTests",
      dependencies: ["WebKitEngine", "WebViewCore", "WebProcessCore", "GLibBridge", "WebViewTesting"],
      // The X server itself is asked what is drawn.
      swiftSettings: strict, linkerSettings: [.linkedLibrary("X11")]),
    .testTarget(
      name: "SoupTransportTests", dependencies: ["SoupTransport", "HTTPModel", "GLibBridge"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteStoreTests", dependencies: ["SQLiteStore", "WebViewCore"], swiftSettings: strict),
    .testTarget(
      name: "WebViewAPITests", dependencies: ["WebViewAPI", "WebViewCore", "HTTPModel", "WebViewTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "ProgramTests", dependencies: ["webview-server", "SoupTransport"], swiftSettings: strict),
    /// The operation table against the OpenAPI document, both ways.
    .testTarget(
      name: "ContractTests", dependencies: ["WebViewAPI", "WebViewCore", "HTTPModel", "WebViewTesting"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
