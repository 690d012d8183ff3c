/// What the engine says to the part of it that runs in a page's process: a name, and parameters of one GVariant type.
public struct PageMessage: Equatable, Sendable {
  public let name: String
  public let type: String
  /// The type of what the process answers; nil: that it took the message.
  public let answer: String?

  init(name: String, type: String, answer: String? = nil) {
    self.name = name
    self.type = type
    self.answer = answer
  }

  /// Headers for a navigation of the main frame that is about to go on: its URL, then names and values. Without
  /// any, those given before are forgotten.
  public static let navigationHeaders = PageMessage(name: "navigationHeaders", type: "(sa(ss))")
  /// Asks who the process is. It answers with its id as it sees it, and with the name of the namespace of ids that it
  /// sees it in: `answer`.
  public static let processIdentity = PageMessage(name: "processIdentity", type: "()", answer: "(is)")
}
