/// An unguessable id, `<node>.<random>` when the server has a node name.
public struct ControllerID: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  public init(text: String) { self.text = text }
  public var description: String { text }

  public static func random(node: String? = nil) -> ControllerID {
    ControllerID(text: (node.map { $0 + "." } ?? "") + RandomID.make())
  }
}

/// 128 random bits, base64url.
public enum RandomID {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  public static func make(bits: Int = 128) -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<(bits + 5) / 6).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] })
  }
}
