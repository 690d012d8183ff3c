/// The engine as a whole: what the core needs of WebKit. Implemented by `WebKitEngine`, faked in `WebViewTesting`.
@PageActor
public protocol WebEngine: AnyObject, Sendable {
  var information: EngineInformation { get }
  /// The engine's own values where a controller supplies none.
  var defaultSettings: WebViewSettings { get }

  /// A store of its own, never on disk.
  func makeEphemeralStore() throws -> any EngineStore
  /// The store of a profile. Called once for a profile; its directory exists.
  func makePersistentStore(directory: String) throws -> any EngineStore

  /// A blank page, in a process of its own. Throws `unavailable` when the machine has no room for another.
  func makePage(in store: any EngineStore, viewport: Viewport) throws -> any EnginePage

  /// The URL standard's parse of `text` by the engine's own parser, serialized; nil when it is not absolute.
  func parseURL(_ text: String) -> ParsedURL?

  /// Ends everything that the engine started.
  func shutDown() async
}

public struct ParsedURL: Sendable, Equatable {
  /// Serialized.
  public var text: String
  /// Lower case, without the colon.
  public var scheme: String
  public init(text: String, scheme: String) {
    self.text = text
    self.scheme = scheme
  }
}

public struct EngineInformation: Sendable, Equatable {
  public enum SandboxState: String, Sendable { case on, off }
  public var name: String
  public var version: String
  public var userAgent: String
  public var sandbox: SandboxState
  public var sandboxReason: String?
  public var display: String?
  /// Families that pages can use, sorted.
  public var fonts: [String]
  public init(
    name: String, version: String, userAgent: String, sandbox: SandboxState, sandboxReason: String?,
    display: String?, fonts: [String] = []
  ) {
    self.name = name
    self.version = version
    self.userAgent = userAgent
    self.sandbox = sandbox
    self.sandboxReason = sandboxReason
    self.display = display
    self.fonts = fonts
  }
}

/// Cookies and site data shared by some pages. Every call may never return: callers keep a deadline, and
/// cancelling the task ends the wait.
@PageActor
public protocol EngineStore: AnyObject, Sendable {
  var isEphemeral: Bool { get }
  func cookies() async throws -> [Cookie]
  /// Those that a request to this URL would carry.
  func cookies(for url: String) async throws -> [Cookie]
  /// Hands the cookie to the jar, which may drop it silently: read back to know.
  func add(_ cookie: Cookie) async throws
  func delete(_ cookie: Cookie) async throws
}
