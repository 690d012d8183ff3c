/// What a web process says unasked to the engine: a name, and parameters of one GVariant type.
public struct ProcessMessage: Equatable, Sendable {
  public let name: String
  public let type: String

  /// What the engine gives each process at its start: its number, and that of the load by `PageMessage.owedEntry`
  /// whose document it is started for.
  public static let startType = "(tu)"
  /// A page was made in the process: the process's number, and the page's id.
  public static let pageCreated = ProcessMessage(name: "pageCreated", type: "(tt)")
}
