import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  // MARK: The port

  func addMessageHandler(_ handler: MessageHandlerRegistration) -> Bool {
    guard !isClosed else { return false }
    let world = handler.contentWorld
    let isFirst = messageHandlers.count(in: world) == 0
    let hadTyped = messageHandlers.hasTyped(in: world)
    guard messageHandlers.add(handler) else { return false }
    if isFirst {
      register(PageRuntime.probeName, world: world.engineName)
      addRuntimeScript(world: world)
    }
    if !hadTyped, handler.bodyMode == .typed { register(PageRuntime.typedFlag, world: world.engineName) }
    connectMessages(named: handler.name)
    register(handler.name, world: world.engineName)
    if isFirst { takeOverHandlers(world: world) }
    return true
  }

  func removeMessageHandler(name: String, contentWorld: ContentWorld) {
    guard !isClosed, messageHandlers.remove(name: name, contentWorld: contentWorld) else { return }
    unregister(name, world: contentWorld.engineName)
    if !messageHandlers.hasTyped(in: contentWorld) {
      unregister(PageRuntime.typedFlag, world: contentWorld.engineName)
    }
    if messageHandlers.count(in: contentWorld) == 0 {
      unregister(PageRuntime.probeName, world: contentWorld.engineName)
    }
  }

  // MARK: Scripts that carry them

  func addRuntimeScripts() {
    addRuntimeScript(world: .page)
    let lifecycle = """
      document.addEventListener("DOMContentLoaded", () =>
        webkit.messageHandlers.\(Self.lifecycleName).postMessage(
          Object.getOwnPropertyDescriptor(Document.prototype, "title").get.call(document).slice(0, 1000).toWellFormed()),
        { once: true });
      \(ReopenedDocument.start)
      """
    add(lifecycle, world: Self.internalWorld, frames: WEBKIT_USER_CONTENT_INJECT_TOP_FRAME)
    onPage(content, "script-message-with-reply-received::\(Self.lifecycleName)") {
      [weak self] (_: OpaquePointer, body: OpaquePointer, _: OpaquePointer) -> Bool in
      self?.domContentLoaded(title: Self.text(of: body.cast()))
      return false
    }
    register(Self.lifecycleName, world: Self.internalWorld)
  }

  private static var lifecycleName: String { PageRuntime.key }

  private func domContentLoaded(title: String?) {
    guard isReady, case let events = tracker.domContentLoaded(), !events.isEmpty else { return }
    // WebKit's own word of the title comes after the load has finished.
    titleChanged(title)
    tell(events)
  }

  private func addRuntimeScript(world: ContentWorld) {
    guard messageHandlers.needsRuntimeScript(in: world) else { return }
    add(
      messageHandlers.runtime(in: world), world: world.engineName,
      frames: WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES)
  }

  private func add(_ source: String, world: String?, frames: WebKitUserContentInjectedFrames) {
    let time = WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START
    let script =
      world.map { webkit_user_script_new_for_world(source, frames, time, $0, nil, nil) }
      ?? webkit_user_script_new(source, frames, time, nil, nil)
    webkit_user_content_manager_add_script(content, script)
    webkit_user_script_unref(script)
  }

  /// In the document that is there; those to come do it as they start.
  private func takeOverHandlers(world: ContentWorld) {
    guard canRunScripts else { return }
    installRuntime(world: world)
    let install = "\(PageRuntime.key).install()"
    webkit_web_view_evaluate_javascript(view, install, -1, world.engineName, nil, nil, nil, nil)
  }

  // MARK: The engine's side

  private func register(_ name: String, world: String?) {
    webkit_user_content_manager_register_script_message_handler_with_reply(content, name, world)
  }

  private func unregister(_ name: String, world: String?) {
    if let world {
      webkit_user_content_manager_unregister_script_message_handler_in_world(content, name, world)
    } else {
      webkit_user_content_manager_unregister_script_message_handler(content, name)
    }
  }

  /// The signal tells a handler's name, not its world: names are connected once, and the message carries the
  /// token of its world, which only that world's runtime has.
  private func connectMessages(named name: String) {
    guard messageHandlers.connect(name: name) else { return }
    onPage(content, "script-message-with-reply-received::\(name)") {
      [weak self] (_: OpaquePointer, body: OpaquePointer, reply: OpaquePointer) -> Bool in
      self?.received(name: name, value: body.cast(), reply: MessageReply(retaining: reply, to: body.cast()))
      return true
    }
  }

  private func received(name: String, value: UnsafeMutablePointer<JSCValue>, reply: MessageReply) {
    guard !isClosed, let posted = PostedMessage(value, worlds: messageHandlers, name: name) else {
      return reply.settle(.failure(ServiceError(.cancelled, "The handler is no longer there.")))
    }
    guard let handler = messageHandlers[name, posted.world] else {
      return reply.settle(.failure(ServiceError(.cancelled, "The handler \(name) was removed.")))
    }
    reply.isEnveloped = posted.isEnveloped
    switch posted.body(in: handler.bodyMode) {
    case .failure(let error): reply.settle(.failure(error))
    case .success(let body):
      guard let delegate else { return reply.settle(.undefined) }
      let message = ScriptMessage(handlerName: name, contentWorld: posted.world, body: body)
      delegate.page(self, didReceive: message) { reply.settle($0) }
    }
  }
}
