import WebViewCore

/// A load of ours of which WebKit does not tell everything: its beginning is told while it is fetched, or it has
/// a response that WebKit knows nothing of. What WebKit tells is completed here.
///
/// Pure: each event gives the events to tell.
struct ForetoldNavigation {
  private enum State {
    case none
    /// WebKit was given nothing yet.
    case fetching(url: String)
    /// Told when WebKit tells the start.
    case given(MainResourceResponse)
  }
  private var state = State.none

  /// Of what is fetched.
  var url: String? { if case .fetching(let url) = state { url } else { nil } }
  var isFetching: Bool { url != nil }

  mutating func begin(url: String) -> [EnginePageEvent] {
    state = .fetching(url: url)
    return Self.start(of: url)
  }

  mutating func redirected(to url: String, status: Int) -> [EnginePageEvent] {
    guard case .fetching(let from) = state else { return [] }
    state = .fetching(url: url)
    return [.willNavigate(url: url, isRedirect: true), .redirected(url: url, status: status, from: from)]
  }

  /// WebKit is given content whose response it does not know.
  mutating func give(_ response: MainResourceResponse) { state = .given(response) }

  /// WebKit is given it once more, after it told of the first time.
  mutating func giveAgain(_ response: MainResourceResponse) { if case .none = state { give(response) } }

  /// It comes to nothing, or WebKit is given what was fetched, or where it led.
  mutating func forget() { state = .none }

  mutating func failed(_ error: LoadError) -> [EnginePageEvent] {
    guard case .fetching(let url) = state else { return [] }
    state = .none
    return [.failed(error, url: url)]
  }

  /// What is to be told of what WebKit tells.
  mutating func completed(_ events: [EnginePageEvent]) -> [EnginePageEvent] {
    if case .none = state { return events }
    return events.flatMap { completed($0) }
  }

  private mutating func completed(_ event: EnginePageEvent) -> [EnginePageEvent] {
    switch (state, event) {
    case (.given(let response), .started):
      state = .none
      return [event, .responded(response)]
    // The old document goes where it likes meanwhile, though it be to the address of what is fetched.
    case (.fetching, .sameDocumentNavigation): return []
    // A navigation of the page's own takes the place of what is fetched.
    case (.fetching, .started): state = .none
    case (_, let event) where event.endsProvisionalLoad: state = .none
    default: break
    }
    return [event]
  }

  /// What has no document: told whole, WebKit is not given anything.
  static func start(of url: String) -> [EnginePageEvent] {
    [.willNavigate(url: url, isRedirect: false), .started(url: url)]
  }
}

extension EnginePageEvent {
  var isCommit: Bool { if case .committed = self { true } else { false } }
  var isOvertaking: Bool { if case .overtaken = self { true } else { false } }

  /// What was asked for has a document, or gets none.
  var endsProvisionalLoad: Bool {
    switch self {
    case .committed, .failed, .overtaken, .responseRefused, .processTerminated: true
    default: false
    }
  }
}
