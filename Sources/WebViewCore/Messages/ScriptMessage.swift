/// A handler that a page's scripts can post to.
public struct MessageHandlerRegistration: Sendable, Hashable {
  public enum BodyMode: String, CaseIterable, Sendable { case json, typed }
  public var name: String
  public var contentWorld: ContentWorld
  public var includeFrameInfo: Bool
  public var bodyMode: BodyMode
  public init(
    name: String, contentWorld: ContentWorld = .page, includeFrameInfo: Bool = false,
    bodyMode: BodyMode = .json
  ) {
    self.name = name
    self.contentWorld = contentWorld
    self.includeFrameInfo = includeFrameInfo
    self.bodyMode = bodyMode
  }
}

/// What a page posted. `body` is JSON text in the handler's mode; nil is undefined.
public struct ScriptMessage: Sendable, Equatable {
  public var handlerName: String
  public var contentWorld: ContentWorld
  public var body: String?
  public init(handlerName: String, contentWorld: ContentWorld, body: String?) {
    self.handlerName = handlerName
    self.contentWorld = contentWorld
    self.body = body
  }
}

/// What the page's promise settles with.
public enum ScriptMessageReply: Sendable, Equatable {
  case undefined
  case json(JSONValue)
  /// A WebDriver BiDi LocalValue.
  case typed(JSONValue)
  /// Rejects with an `Error` whose `code` is this and whose message is "<code>: <message>".
  case failure(ServiceError)
}
