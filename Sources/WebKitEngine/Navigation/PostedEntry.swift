import WebViewCore

/// A POST that WebKit sends as it goes to an entry of the history.
///
/// WebKit believes that it asked its cache: whatever makes the request fail, it calls the load cancelled and posts
/// again. The request is not to be sent twice, and the caller is to hear why it failed.
struct PostedEntry {
  enum End: Equatable {
    /// As WebKit told.
    case failed(LoadError)
    /// For a reason that WebKit does not tell: it would have posted again.
    case failedUnexplained
  }
  private enum State {
    case none
    case sent(url: String)
    case failing(url: String, End)
  }
  private var state = State.none

  var isSent: Bool { if case .sent = state { true } else { false } }

  mutating func send(url: String) { state = .sent(url: url) }

  /// True when more is to be heard of it: from what WebKit asks next it is known whether it posts again.
  mutating func failed(_ error: LoadError, isLoading: Bool) -> Bool {
    guard case .sent(let url) = state, error.code == .cancelled, !isLoading else { return false }
    state = .failing(url: url, .failed(error))
    return true
  }

  /// Whether a navigation that WebKit asks for is the POST once more.
  mutating func isRepeated(by url: String, isRedirect: Bool) -> Bool {
    guard case .failing(url, _) = state, !isRedirect else { return false }
    state = .failing(url: url, .failedUnexplained)
    return true
  }

  /// How it ended, when all is heard.
  mutating func settle() -> End? {
    guard case .failing(_, let end) = state else { return nil }
    state = .none
    return end
  }

  mutating func forget() { state = .none }
}
