/// Names of the events on the channel and in the journal.
public enum EventType: String, CaseIterable, Sendable {
  // The seed's nine, which carry `state`.
  case loadStart, redirect, commit, loadFinish, loadError, stateChange, webContentProcessTerminated
  case present, dismiss
  // Beyond them.
  case domContentLoaded, navigationCancelled, backForwardListChanged, callbackOpened, callbackClosed, disposed

  /// What a subscription without a list gets.
  public static let standard: Set<EventType> = [
    .loadStart, .redirect, .commit, .loadFinish, .loadError, .stateChange, .webContentProcessTerminated,
    .present, .dismiss,
  ]
  public var carriesState: Bool { Self.standard.contains(self) }
}

public struct ControllerEvent: Sendable, Equatable {
  public var type: EventType
  public var navigationID: NavigationID?
  public var isMainFrame: Bool
  public var state: WebViewState?
  public var error: LoadError?
  /// Further members of this type of event.
  public var details: JSONObject

  public init(
    _ type: EventType, navigationID: NavigationID? = nil, isMainFrame: Bool = true,
    state: WebViewState? = nil, error: LoadError? = nil, details: JSONObject = [:]
  ) {
    self.type = type
    self.navigationID = navigationID
    self.isMainFrame = isMainFrame
    self.state = state
    self.error = error
    self.details = details
  }
}

extension ControllerEvent {
  /// About how many bytes it holds: addresses and titles are the page's to choose.
  var roughSize: Int {
    256 + details.roughSize + (state?.url?.utf8.count ?? 0) + (state?.title?.utf8.count ?? 0)
      + (error?.message.utf8.count ?? 0)
  }
}

/// An event with its place in the run's one order.
public struct JournalEntry: Sendable, Equatable {
  public var sequence: Int
  public var controllerID: ControllerID
  public var event: ControllerEvent
  public init(sequence: Int, controllerID: ControllerID, event: ControllerEvent) {
    self.sequence = sequence
    self.controllerID = controllerID
    self.event = event
  }
}
