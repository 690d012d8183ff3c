import CWebKit
import GLibBridge
import WebProcessCore

/// When the page's process has to be told of a load that goes by an entry of no list: its document adds an entry.
///
/// Pure: gives the number of the load that is to be told, as `PageMessage.owedEntry` has it.
struct OwedEntryDelivery {
  private enum State {
    case none
    /// The load was not decided yet.
    case held(url: String)
    /// The process waits for its document.
    case told(url: String)
    /// The process does not wait: a step to an entry of the list was decided since, perhaps another frame's.
    case withheld(url: String)
  }

  private var state = State.none
  private var load: UInt32 = 0

  mutating func hold(url: String) { state = .held(url: url) }

  /// The load comes to nothing.
  mutating func drop() { state = .none }

  /// WebKit asks whether a navigation may go on, of whichever frame.
  mutating func decided(url: String, isRedirect: Bool, isOfHistory: Bool) -> UInt32? {
    guard !isRedirect else { return nil }
    switch state {
    case .held(let own) where own == url:
      load &+= 1
      state = .told(url: url)
      return load
    case .told(let own) where own == url, .withheld(let own) where own == url:
      state = .told(url: url)
      return load
    case .told(let own) where isOfHistory:
      state = .withheld(url: own)
      return 0
    case .none, .held, .told, .withheld: return nil
    }
  }

  /// The load's document is there.
  mutating func committed() -> UInt32? {
    defer { state = .none }
    switch state {
    case .told, .withheld: return load
    case .none, .held: return nil
    }
  }
}

extension WebKitPage {
  /// To be called before WebKit hears the decision.
  func deliverOwedEntry(url: String, isRedirect: Bool, isOfHistory: Bool) {
    if let load = owedEntry.decided(url: url, isRedirect: isRedirect, isOfHistory: isOfHistory) {
      send(.owedEntry, Variant.tuple([g_variant_new_uint32(load)]))
    }
  }

  func dropOwedEntry() { owedEntry.drop() }

  /// For a document that came in another process than the one that was told.
  func payOwedEntryLater() {
    guard let load = owedEntry.committed() else { return }
    // Not within WebKit's change of processes.
    afterThisTurn { page in
      guard !page.isClosed, page.canRunScripts else { return }
      page.send(.owedEntryIsDue, Variant.tuple([g_variant_new_uint32(load)]))
    }
  }
}
