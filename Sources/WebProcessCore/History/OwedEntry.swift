/// Whether a document of the main frame is to add its own entry to the history, since it came by an entry that is in
/// no list.
///
/// Pure: what is known goes in, whether it is to be added now comes out.
public struct OwedEntry: Sendable {
  /// Of the load whose document is the next one to come.
  private var awaited: UInt32?
  /// Of the last load whose document has its entry.
  private var paid: UInt32?

  public init() {}

  /// - Parameter load: nil: the next document comes by an entry of the list.
  public mutating func await(_ load: UInt32?) { awaited = load }

  /// Before any of its scripts runs.
  /// - Parameter isOfHistory: it came by an entry.
  public mutating func documentBegan(isOfHistory: @autoclosure () -> Bool) -> Bool {
    defer { awaited = nil }
    guard let awaited, isOfHistory() else { return false }
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
