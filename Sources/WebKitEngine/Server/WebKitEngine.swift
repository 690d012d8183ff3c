import CWebKit
import GLibBridge
import Glibc
import WebViewCore

/// The core's engine port on WebKitGTK. Everything runs on GTK's thread, which is the page actor's.
@PageActor
public final class WebKitEngine: WebEngine {
  public struct Options: Sendable {
    /// Box web processes where that works.
    public var sandbox = true
    /// The display is ours alone: pages get mapped windows, without which media never load. On a person's
    /// display they stay in offscreen windows.
    public var usesPrivateDisplay = true
    /// UTF-8 bytes of a script's result.
    public var resultLimit = 64 << 20
    /// Where compiled content rules lie while the engine runs: a directory for nothing else. nil: a temporary one.
    public var ruleDirectory: String?
    public init() {}
  }

  public nonisolated let information: EngineInformation
  public nonisolated let defaultSettings = WebViewSettings()

  let options: Options
  let loop: LoopExecutor
  let sandbox: Sandbox
  let moduleDirectory: String
  var knownScripts = KnownScripts()
  /// Of everything in the engine that waits.
  let timers = Timers(clock: ContinuousClock())
  let fileScopes: FileScopes
  let children = KnownChildren()
  let openerPolicy = EngineFeature("CrossOriginOpenerPolicy")
  private var pages: [ObjectIdentifier: WeakPage] = [:]

  private struct WeakPage {
    weak var page: WebKitPage?
  }

  /// Initialises GTK and the engine, on the thread that runs the default main context and is bound to `loop`.
  public static func start(loop: LoopExecutor, options: Options = Options()) throws(ServiceError)
    -> WebKitEngine
  {
    prepareEnvironment()
    FileDescriptors.raiseLimit()
    guard gtk_init_check(nil, nil) != 0 else {
      throw ServiceError(
        .unavailable,
        "GTK cannot open the display \(environment("DISPLAY") ?? "(none)"): start Xvfb or set DISPLAY.",
        details: ["reason": "display"])
    }
    return try WebKitEngine(loop: loop, options: options)
  }

  private init(loop: LoopExecutor, options: Options) throws(ServiceError) {
    self.loop = loop
    self.options = options
    moduleDirectory = try WebProcessModule.directory()
    sandbox = Sandbox.preflight(isWanted: options.sandbox)
    fileScopes = try FileScopes(directory: options.ruleDirectory, timers: timers)
    let settings = OwnedObject(owning: webkit_settings_new()!)
    let version =
      "\(webkit_get_major_version()).\(webkit_get_minor_version()).\(webkit_get_micro_version())"
    information = EngineInformation(
      name: "WebKitGTK", version: version,
      userAgent: string(webkit_settings_get_user_agent(settings.pointer)) ?? "",
      sandbox: sandbox.state, sandboxReason: sandbox.reason, display: Self.environment("DISPLAY"),
      fonts: FontFamilies.all())
  }

  public func makeEphemeralStore() throws -> any EngineStore {
    try FileDescriptors.checkRoom()
    return WebKitStore(ephemeralIn: self)
  }

  public func makePersistentStore(directory: String) throws -> any EngineStore {
    try FileDescriptors.checkRoom()
    return try WebKitStore(directory: directory, in: self)
  }

  public func makePage(in store: any EngineStore, viewport: Viewport) throws -> any EnginePage {
    guard let store = store as? WebKitStore else {
      throw ServiceError(.internalError, "A store of another engine was given.")
    }
    try FileDescriptors.checkRoom()
    let page = WebKitPage(store: store, engine: self, viewport: viewport)
    pages = pages.filter { $0.value.page != nil }
    pages[ObjectIdentifier(page)] = WeakPage(page: page)
    return page
  }

  public func parseURL(_ text: String) -> ParsedURL? { EngineURL.parse(text) }

  public func shutDown() async {
    for page in pages.values.compactMap(\.page) { page.close() }
    pages = [:]
    fileScopes.removeDirectory()
  }

  /// No accessibility bus and no session bus: each would start a process of its own.
  private static func prepareEnvironment() {
    setenv("NO_AT_BRIDGE", "1", 1)
    setenv("GTK_A11Y", "none", 1)
    // Empty: none. Else each sandboxed page looks for a bus that is not there, and says so on standard error.
    setenv("WEBKIT_A11Y_BUS_ADDRESS", "", 1)
    setenv("GSETTINGS_BACKEND", "memory", 0)
    setenv("GTK_USE_PORTAL", "0", 1)
    unsetenv("DBUS_SESSION_BUS_ADDRESS")
  }

  private static func environment(_ name: String) -> String? { string(getenv(name)) }
}
