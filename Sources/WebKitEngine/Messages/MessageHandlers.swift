import WebViewCore

/// The handlers of one page.
struct MessageHandlers {
  struct Key: Hashable {
    let exactName: ExactText
    let contentWorld: ContentWorld
    var name: String { exactName.text }

    init(name: String, contentWorld: ContentWorld) {
      exactName = ExactText(name)
      self.contentWorld = contentWorld
    }
  }
  private(set) var handlers: [Key: MessageHandlerRegistration] = [:]
  private var connectedNames: Set<ExactText> = []
  /// Secrets of the worlds' runtimes: a message is of the world whose token it carries.
  private var tokens: [ContentWorld: String] = [:]
  private var worldsWithScript: Set<ContentWorld> = []

  subscript(name: String, contentWorld: ContentWorld) -> MessageHandlerRegistration? {
    handlers[Key(name: name, contentWorld: contentWorld)]
  }

  /// False when one of that name and world exists.
  mutating func add(_ handler: MessageHandlerRegistration) -> Bool {
    let key = Key(name: handler.name, contentWorld: handler.contentWorld)
    guard handlers[key] == nil else { return false }
    handlers[key] = handler
    return true
  }

  /// False when there was none.
  mutating func remove(name: String, contentWorld: ContentWorld) -> Bool {
    handlers.removeValue(forKey: Key(name: name, contentWorld: contentWorld)) != nil
  }

  func count(in world: ContentWorld) -> Int { handlers.keys.count { $0.contentWorld == world } }
  func hasTyped(in world: ContentWorld) -> Bool {
    handlers.values.contains { $0.contentWorld == world && $0.bodyMode == .typed }
  }

  /// True the first time.
  mutating func connect(name: String) -> Bool { connectedNames.insert(ExactText(name)).inserted }
  /// True the first time.
  mutating func needsRuntimeScript(in world: ContentWorld) -> Bool { worldsWithScript.insert(world).inserted }

  mutating func runtime(in world: ContentWorld) -> String {
    let token = tokens[world] ?? RandomID.make()
    tokens[world] = token
    return PageRuntime.source(token: token)
  }

  func world(ofToken token: some StringProtocol) -> ContentWorld? {
    tokens.first { $0.value == token }?.key
  }
  /// Where a message without a token comes from: the page, unless only another world has the handler.
  func likelyWorld(ofHandler name: String) -> ContentWorld? {
    if self[name, .page] != nil { return .page }
    return handlers.keys.first { $0.name.isExactly(name) }?.contentWorld
  }
}
