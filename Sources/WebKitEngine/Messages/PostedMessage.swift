import CWebKit
import GLibBridge
import WebViewCore

/// What a page posted: the runtime's envelope, or the engine's own conversion where a frame was there before
/// the runtime.
@PageActor
struct PostedMessage {
  let world: ContentWorld
  let isEnveloped: Bool
  private let json: Substring
  private let typed: Substring

  /// nil when the world is not known, or the envelope is broken.
  init?(_ value: UnsafeMutablePointer<JSCValue>, worlds: MessageHandlers, name: String) {
    guard let text = WebKitPage.text(of: value), text.hasPrefix(PageRuntime.key) else {
      guard let world = worlds.likelyWorld(ofHandler: name) else { return nil }
      self.world = world
      isEnveloped = false
      json = Self.converted(value)
      typed = ""
      return
    }
    let parts = text.dropFirst(PageRuntime.key.count).split(
      separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let world = worlds.world(ofToken: parts[0]), let length = Int(parts[1]),
      length >= 0,
      let end = parts[2].utf16.index(parts[2].startIndex, offsetBy: length, limitedBy: parts[2].endIndex)
    else { return nil }
    self.world = world
    isEnveloped = true
    json = parts[2][..<end]
    typed = parts[2][end...]
  }

  func body(in mode: MessageHandlerRegistration.BodyMode) -> Result<String?, ServiceError> {
    let form = mode == .json || typed.isEmpty ? json : typed
    switch form.first {
    case "u": return .success(nil)
    case "j", "t":
      let text = String(form.dropFirst())
      guard JSONScanner.isValue(text) else {
        return .failure(ServiceError(.serializationError, "The message is not JSON."))
      }
      return .success(text)
    case "l":
      return .failure(
        ServiceError(.serializationError, "The message is larger than \(PageRuntime.messageLimit) bytes."))
    default:
      let refusal = try? JSONText.decode(ScriptText.Refusal.self, from: String(form.dropFirst()))
      let path = refusal?.path ?? ""
      return .failure(
        ServiceError(
          .serializationError, "The value at \"\(path)\" is \(refusal?.reason ?? "not serializable").",
          details: ["path": .string(path)]))
    }
  }

  private static func converted(_ value: UnsafeMutablePointer<JSCValue>) -> Substring {
    guard let text = jsc_value_to_json(value, 0) else {
      // A cycle leaves an exception in the context that all messages share.
      jsc_context_clear_exception(jsc_value_get_context(value))
      return "u"
    }
    defer { g_free(text) }
    return "j" + String(cString: text)
  }
}

/// The promise of the page, settled at most once; left alone it resolves with undefined.
@PageActor
final class MessageReply {
  private var reply: OpaquePointer?
  private let context: OwnedObject<UnsafeMutablePointer<JSCContext>>
  var isEnveloped = true

  init(retaining reply: OpaquePointer, to value: UnsafeMutablePointer<JSCValue>) {
    self.reply = webkit_script_message_reply_ref(reply)
    context = OwnedObject(retaining: jsc_value_get_context(value)!)
  }

  isolated deinit { if let reply { webkit_script_message_reply_unref(reply) } }

  func settle(_ answer: ScriptMessageReply) {
    guard let reply else { return }
    self.reply = nil
    defer { webkit_script_message_reply_unref(reply) }
    switch answer {
    case .undefined: give(reply, "u", "")
    case .json(let value): give(reply, "j", JSONWriter.text(value))
    case .typed(let value): give(reply, "t", JSONWriter.text(value))
    case .failure(let error):
      webkit_script_message_reply_return_error_message(reply, "\(error.code.rawValue): \(error.message)")
    }
  }

  /// Values are only made of strings and JSON: a function or symbol in a reply ends the whole program.
  private func give(_ reply: OpaquePointer, _ kind: String, _ text: String) {
    let value: UnsafeMutablePointer<JSCValue>? =
      switch (isEnveloped, kind) {
      case (true, _): jsc_value_new_string(context.pointer, PageRuntime.key + kind + text)
      case (false, "j"): jsc_value_new_from_json(context.pointer, text)
      default: jsc_value_new_undefined(context.pointer)
      }
    webkit_script_message_reply_return_value(reply, value)
    if let value { g_object_unref(value.raw) }
  }
}
