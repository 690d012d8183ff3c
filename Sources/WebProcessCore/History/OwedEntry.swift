/// Whether a document of the main frame is to add its own entry to the history, since it came by an entry that is in
/// no list.
///
/// Pure: what is known goes in, whether it is to be added now comes out.
public struct OwedEntry: Sendable {
  /// Of the load whose document is the next one to come.
  private var awaited: UInt32?
  /// The process was started for that document: WebKit takes its entry for an address then.
  private var isFirst = false
  /// Of the last load whose document has its entry.
  private var paid: UInt32?

  public init() {}

  /// - Parameter load: nil: the next document comes by an entry of the list.
  public mutating func await(_ load: UInt32?) {
    isFirst = isFirst && load == awaited
    awaited = load
  }

  /// The process was started for the load, or for none.
  public mutating func awaitFirst(_ load: UInt32?) {
    awaited = load
    isFirst = load != nil
  }

  /// Before any of its scripts runs.
  /// - Parameter isOfHistory: it came by an entry.
  public mutating func documentBegan(isOfHistory: @autoclosure () -> Bool) -> Bool {
    defer {
      awaited = nil
      isFirst = false
    }
    guard let awaited, isFirst || isOfHistory() else { return false }
    paid = awaited
    return true
  }

  /// That of the load is there. It may have come in a process that was not told of the load.
  public mutating func documentIsThere(_ load: UInt32, isOfHistory: @autoclosure () -> Bool) -> Bool {
    guard paid != load, isOfHistory() else { return false }
    awaited = nil
    paid = load
    return true
  }
}
