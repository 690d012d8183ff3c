/// Kinds of questions that a page asks.
public enum CallbackKind: String, CaseIterable, Sendable, Hashable { case scriptMessage }

public struct CallbackID: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  public init(text: String) { self.text = text }
  public var description: String { text }
}

/// An open question as clients see it.
public struct Callback: Sendable, Equatable {
  public var id: CallbackID
  public var kind: CallbackKind
  public var controllerID: ControllerID
  public var navigationID: NavigationID?
  /// Seconds left when this value was made.
  public var expiresIn: Double
  /// The order in which it was opened, for `since`.
  public var number: Int
  /// The kind's own members.
  public var payload: JSONObject
  public init(
    id: CallbackID, kind: CallbackKind, controllerID: ControllerID, navigationID: NavigationID?,
    expiresIn: Double, number: Int, payload: JSONObject
  ) {
    self.id = id
    self.kind = kind
    self.controllerID = controllerID
    self.navigationID = navigationID
    self.expiresIn = expiresIn
    self.number = number
    self.payload = payload
  }
}

/// Why a question is no longer open.
public enum CallbackClosing: String, Sendable { case answered, timeout, cancelled, disconnected }

/// What whoever claims questions is told.
public enum ClaimNotice: Sendable, Equatable {
  /// These kinds are now this claimer's.
  case claims(Set<CallbackKind>)
  case opened(Callback)
  case closed(CallbackID, ControllerID, CallbackClosing)
}
