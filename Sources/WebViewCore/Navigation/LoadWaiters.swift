/// How far a navigation has come.
enum LoadMilestone: Int, Comparable, Sendable {
  case begun, committed, domContentLoaded, ended
  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  func satisfies(_ wait: LoadWait) -> Bool {
    switch wait {
    case .none: true
    case .commit: self >= .committed
    case .domContentLoaded: self >= .domContentLoaded
    case .load: self == .ended
    }
  }
}

/// Who waits for which navigation. Every waiter ends once: by its navigation, by withdrawal or by disposal.
struct LoadWaiters: Sendable {
  struct ID: Hashable, Sendable { let number: Int }
  enum Target: Sendable, Equatable {
    case navigation(NavigationID)
    /// The first one that begins after this one; nil: the first of all.
    case next(after: NavigationID?)
  }
  private struct Waiter: Sendable {
    let wait: LoadWait
    var target: Target
  }
  private var waiters: [ID: Waiter] = [:]
  private var count = 0

  var isEmpty: Bool { waiters.isEmpty }

  mutating func add(_ wait: LoadWait, for target: Target) -> ID {
    count += 1
    let id = ID(number: count)
    waiters[id] = Waiter(wait: wait, target: target)
    return id
  }

  /// nil while its navigation has not begun.
  func navigation(of id: ID) -> NavigationID? {
    if case .navigation(let navigation)? = waiters[id]?.target { navigation } else { nil }
  }

  mutating func began(_ navigation: NavigationID) {
    for (id, waiter) in waiters {
      guard case .next(let after) = waiter.target, after.map({ navigation > $0 }) ?? true else { continue }
      waiters[id]?.target = .navigation(navigation)
    }
  }

  /// Those that have what they waited for, oldest first; they are done.
  mutating func reached(_ milestone: LoadMilestone, of navigation: NavigationID) -> [ID] {
    take { $0.target == .navigation(navigation) && milestone.satisfies($0.wait) }
  }

  /// False when it was done already.
  mutating func withdraw(_ id: ID) -> Bool { waiters.removeValue(forKey: id) != nil }

  mutating func dispose() -> [ID] { take { _ in true } }

  private mutating func take(_ matches: (Waiter) -> Bool) -> [ID] {
    guard !waiters.isEmpty else { return [] }
    let done = waiters.filter { matches($0.value) }.keys.sorted { $0.number < $1.number }
    for id in done { waiters[id] = nil }
    return done
  }
}
