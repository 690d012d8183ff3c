/// An unguessable id, `<node>.<random>` when the server has a node name.
public struct ControllerID: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  public init(text: String) { self.text = text }
  public var description: String { text }

  public static func random(node: String? = nil) -> ControllerID {
    ControllerID(text: (node.map { $0 + "." } ?? "") + RandomID.make())
  }
}

/// Random bits, base64url.
public enum RandomID {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// - Parameter bits: rounded up to whole letters of six.
  public static func make(bits: Int = 128) -> String {
    // One question to the system for ten letters: each is a system call.
    var generator = SystemRandomNumberGenerator()
    var (pool, left): (UInt64, Int) = (0, 0)
    let letters = (0..<(bits + 5) / 6).map { _ in
      if left == 0 { (pool, left) = (generator.next(), 10) }
      defer { (pool, left) = (pool >> 6, left - 1) }
      return alphabet[Int(pool & 63)]
    }
    return String(decoding: letters, as: UTF8.self)
  }
}
