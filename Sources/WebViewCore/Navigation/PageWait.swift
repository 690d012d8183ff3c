/// What an answer waits for after a load was asked for: an event of the navigation, then conditions of the page,
/// one after the other.
public struct PageWait: Sendable, Equatable {
  public var event: LoadWait
  public var conditions: [PageCondition]
  /// So many redirects that the page makes by itself are gone along with; for each the wait begins anew.
  public var followedRedirects: Int

  public init(_ event: LoadWait = .load, _ conditions: [PageCondition] = [], followedRedirects: Int = 0) {
    self.event = event
    self.conditions = conditions
    self.followedRedirects = followedRedirects
  }

  public static let none = PageWait(.none)
  public static let commit = PageWait(.commit)
  public static let domContentLoaded = PageWait(.domContentLoaded)
  public static let load = PageWait(.load)
  public static let redirectsRange = 0...20

  /// The answer comes at once, with the navigation as it begins.
  public var isNone: Bool { event == .none && conditions.isEmpty }

  /// Conditions are of the document that was asked for, not of the one that it takes the place of.
  var eventOfLoad: LoadWait { event == .none && !conditions.isEmpty ? .commit : event }

  /// How long after its load a page may redirect by itself; what comes later is a navigation like any other.
  var redirectWindow: Double {
    for case .delay(let seconds) in conditions { return seconds }
    return ClientRedirects.window
  }
}

/// Something of the page that an answer waits for, in whatever document comes to have it.
public enum PageCondition: Sendable, Equatable {
  case element(ElementState, selector: String)
  /// The body of a function, which is to give something true.
  case function(String)
  /// Nothing is asked of the network for so long.
  case networkIdle(seconds: Double)
  case delay(seconds: Double)

  /// The contract's name of it.
  public var name: String {
    switch self {
    case .element(let state, _): state.rawValue
    case .function: "function"
    case .networkIdle: "networkIdle"
    case .delay: "delay"
    }
  }
}

/// What is to be true of the elements that match a selector.
public enum ElementState: String, CaseIterable, Sendable {
  /// There is one.
  case attached = "selector"
  /// There is one that can be seen: it has a box with an area, and is not `visibility: hidden`.
  case visible
  /// There is none that can be seen.
  case hidden
}
