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
    case told
  }

  private var state = State.none
  private var load: UInt32 = 0

  mutating func hold(url: String) { state = .held(url: url) }

  /// WebKit asks whether a navigation may go on.
  mutating func decided(url: String, isRedirect: Bool, isOfHistory: Bool) -> UInt32? {
    guard !isRedirect else { return nil }
    switch state {
    case .held(let held) where held == url:
      load &+= 1
      state = .told
      return load
    case .told where isOfHistory:
      // A step to an entry of the list.
      state = .none
      return 0
    case .none, .held, .told: return nil
    }
  }

  /// A document of ours is there.
  mutating func committed() -> UInt32? {
    guard case .told = state else { return nil }
    state = .none
    return load
  }
}

extension WebKitPage {
  /// To be called before WebKit hears the decision.
  func deliverOwedEntry(url: String, isRedirect: Bool, isOfHistory: Bool) {
    if let load = owedEntry.decided(url: url, isRedirect: isRedirect, isOfHistory: isOfHistory) {
      send(.owedEntry, Variant.tuple([g_variant_new_uint32(load)]))
    }
  }

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
