/// What the engine says to the part of it that runs in a page's process: a name, and parameters of one GVariant type.
public struct PageMessage: Equatable, Sendable {
  public let name: String
  public let type: String

  /// Headers for a navigation of the main frame that is about to go on: its URL, then names and values. Without
  /// any, those given before are forgotten.
  public static let navigationHeaders = PageMessage(name: "navigationHeaders", type: "(sa(ss))")
  /// Of the load by this number the document is to add its own entry to the history; 0: of none.
  public static let owedEntry = PageMessage(name: "owedEntry", type: "(u)")
  /// The document of the load by this number is there: it adds its entry, if it has not.
  public static let owedEntryIsDue = PageMessage(name: "owedEntryIsDue", type: "(u)")
}
