/// Calls whose answer the engine owes us, and may never give. Each ends once: by its answer, its deadline, its
/// caller, the document, the process or the controller's end.
struct PendingEvaluations: Sendable {
  struct ID: Hashable, Sendable { let number: Int }
  enum Kind: Sendable, Equatable {
    /// Code or serialization of one document: over when another takes its place.
    case document
    /// Needs the page's process, whatever document is there.
    case page
    /// Needs neither: cookies, settings.
    case independent
  }
  private var kinds: [ID: Kind] = [:]
  private var count = 0

  var isEmpty: Bool { kinds.isEmpty }

  mutating func open(_ kind: Kind) -> ID {
    count += 1
    let id = ID(number: count)
    kinds[id] = kind
    return id
  }

  func isOpen(_ id: ID) -> Bool { kinds[id] != nil }

  /// The answer came, the deadline passed or the caller left. False when it had ended: a late answer.
  mutating func settle(_ id: ID) -> Bool { kinds.removeValue(forKey: id) != nil }

  mutating func documentReplaced() -> [ID] { take { $0 == .document } }
  mutating func processEnded() -> [ID] { take { $0 != .independent } }
  mutating func dispose() -> [ID] { take { _ in true } }

  private mutating func take(_ matches: (Kind) -> Bool) -> [ID] {
    guard !kinds.isEmpty else { return [] }
    let done = kinds.filter { matches($0.value) }.keys.sorted { $0.number < $1.number }
    for id in done { kinds[id] = nil }
    return done
  }
}
