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
    case held
    /// The process waits for its document.
    case told
    /// The process does not wait: a step to an entry of the list was decided since, perhaps another frame's.
    case withheld
  }

  /// Says to the process that it waits for no load's document.
  private static let noLoad: UInt32 = 0

  private var state = State.none
  private var load = noLoad

  /// Another load goes by an entry of no list.
  mutating func hold() {
    load &+= 1
    state = .held
  }

  /// The load comes to nothing. A process that was started for it was told at its start.
  mutating func drop() -> UInt32? {
    defer { state = .none }
    return state == .none ? nil : Self.noLoad
  }

  /// WebKit asks whether a navigation may go on, of whichever frame.
  /// - Parameter isOurs: it is the load itself.
  mutating func decided(isOurs: Bool, isRedirect: Bool, isOfHistory: Bool) -> UInt32? {
    guard !isRedirect else { return nil }
    if isOurs, state != .none {
      state = .told
      return load
    }
    guard isOfHistory else { return nil }
    if state == .told { state = .withheld }
    // One that kept a document may still wait for what came in another process.
    return Self.noLoad
  }

  /// Whose document a process that is started now is for.
  var owedAtStart: UInt32 { state == .held || state == .told ? load : Self.noLoad }

  /// The load's document is there.
  mutating func committed() -> UInt32? {
    defer { state = .none }
    return state == .none ? nil : load
  }
}

extension WebKitPage {
  /// To be called before WebKit hears the decision.
  func deliverOwedEntry(isOurs: Bool, isRedirect: Bool, isOfHistory: Bool) {
    tellOwedEntry(owedEntry.decided(isOurs: isOurs, isRedirect: isRedirect, isOfHistory: isOfHistory))
  }

  func dropOwedEntry() {
    keepProcess(false)
    tellOwedEntry(owedEntry.drop())
  }

  private func tellOwedEntry(_ load: UInt32?) {
    if let load { send(.owedEntry, Variant.tuple([g_variant_new_uint32(load)])) }
  }

  /// The document is told of with its entry.
  func payOwedEntry() {
    isProcessKept = isProcessWanted
    keepProcess(false)
    // That of the document before has come, or is not to come any more.
    entryCame()
    guard let load = owedEntry.committed() else { return }
    isEntryDue = true
    initialURL = tracker.lastAsked?.url
    _ = engine.timers.after(Self.patienceWithEntry) { [weak self] in self?.entryCame() }
    // For a process that did not wait for it; not within WebKit's change of processes.
    afterThisTurn { page in
      guard !page.isClosed, page.canRunScripts else { return }
      page.send(.owedEntryIsDue, Variant.tuple([g_variant_new_uint32(load)]))
    }
  }

  private static let patienceWithEntry = Duration.seconds(1)
}
