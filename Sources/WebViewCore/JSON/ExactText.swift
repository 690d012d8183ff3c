/// A text as a key: Swift's strings are equal when they look the same, those of JavaScript, files and JSON when
/// they have the same letters.
public struct ExactText: Sendable, Hashable {
  public let text: String
  public init(_ text: String) { self.text = text }

  public static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  public func isExactly(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
