import CWebKit
import GLibBridge
import WebProcessCore
import WebViewCore

/// Headers for the document of one navigation, and for nothing else that the page asks for. They replace the
/// engine's own, `User-Agent` and `Accept` too. A redirect takes them along; to another origin only `User-Agent`,
/// `Accept` and `Accept-Language`. `Cookie` and what describes a connection is left out.
struct NavigationHeaders: Equatable, Sendable {
  var fields: [MainResourceResponse.Header]
}

/// When the page's process has to be told of headers, and when that they are over.
///
/// Pure: gives what is to be sent.
struct NavigationHeaderDelivery {
  struct Message: Equatable {
    var url: String
    var fields: [MainResourceResponse.Header]
    /// What was sent before is over.
    static let forget = Message(url: "", fields: [])
  }

  private enum State {
    case none
    /// The navigation was not decided yet.
    case held(NavigationHeaders, url: String)
    /// The process has them.
    case sent(NavigationHeaders, url: String)
  }

  private var state = State.none

  mutating func hold(_ headers: NavigationHeaders?, for url: String) -> Message? {
    let message = end()
    if let headers { state = .held(headers, url: url) }
    return message
  }

  /// WebKit asks whether a navigation may go on.
  mutating func decided(url: String, isRedirect: Bool) -> Message? {
    guard case .held(let headers, url) = state, !isRedirect else { return nil }
    state = .sent(headers, url: url)
    return Message(url: url, fields: headers.fields)
  }

  /// Their navigation is given to WebKit once more, perhaps in another process.
  mutating func again() {
    if case .sent(let headers, let url) = state { state = .held(headers, url: url) }
  }

  /// Their navigation ended, or another one takes its place.
  mutating func end() -> Message? {
    defer { state = .none }
    if case .sent = state { return .forget }
    return nil
  }
}

extension WebKitPage {
  /// They belong to the next navigation of ours to that URL: call it when the navigation was asked of the tracker,
  /// before WebKit is. They are dropped when it ends, and when another one of ours begins.
  func setNavigationHeaders(_ headers: NavigationHeaders?, for url: String) {
    send(headerDelivery.hold(headers, for: url))
  }

  /// To be called before WebKit hears the decision.
  func deliverNavigationHeaders(url: String, isRedirect: Bool) {
    send(headerDelivery.decided(url: url, isRedirect: isRedirect))
  }

  func dropNavigationHeaders() { send(headerDelivery.end()) }

  func dropNavigationHeaders(after events: [EnginePageEvent]) {
    let isOver = events.contains {
      switch $0 {
      case .finished, .failed, .overtaken, .responseRefused, .sameDocumentNavigation, .processTerminated: true
      default: false
      }
    }
    if isOver { dropNavigationHeaders() }
  }

  private func send(_ message: NavigationHeaderDelivery.Message?) {
    guard let message else { return }
    let fields = message.fields.map {
      Variant.tuple([Variant.string($0.name), Variant.string($0.value)])
    }
    let parameters = Variant.tuple([Variant.string(message.url), Variant.array(of: "(ss)", fields)])
    let number = issuedLoad.number
    send(.navigationHeaders, parameters) { [weak self] in
      guard let self, message != .forget, self.issuedLoad.number == number else { return }
      self.headersWereRefused()
    }
  }

  /// Sent without them the request would not be the one that was asked for.
  private func headersWereRefused() {
    guard !isClosed else { return }
    let module = "\(engine.moduleDirectory)/\(WebProcessModule.name)"
    failLoading(LoadError(.other, "The headers cannot be given: the page's process did not load \(module)."))
  }
}
