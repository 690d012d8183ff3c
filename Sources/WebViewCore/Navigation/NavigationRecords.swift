import Foundation

/// The last navigations of a controller, for lookups; the oldest go first.
struct NavigationRecords: Sendable {
  struct Record: Sendable {
    var navigation: Navigation
    let origin: NavigationMachine.Origin
    /// Its loadStart was told.
    var isAnnounced = false

    func seconds(until now: Date) -> Double {
      // Whole microseconds: what lies beyond is noise of the subtraction.
      (max(0, now.timeIntervalSince(navigation.startedAt)) * 1_000_000).rounded() / 1_000_000
    }
  }

  private let limit: Int
  private var records: [NavigationID: Record] = [:]
  private var order: [NavigationID] = []
  private var count = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// No navigation ever.
  var isEmpty: Bool { count == 0 }
  subscript(id: NavigationID) -> Record? { records[id] }
  var last: Record? { order.last.flatMap { records[$0] } }
  /// The last one that a wait means: fragments and history entries made by the page are none.
  var lastLoad: NavigationID? {
    order.last {
      guard let record = records[$0] else { return false }
      return record.origin != .page || record.navigation.outcome != .sameDocument
    }
  }
  /// The first one that started after `id`.
  func first(after id: NavigationID) -> NavigationID? { order.first { $0 > id } }
  /// Was given out, perhaps forgotten.
  func wasIssued(_ id: NavigationID) -> Bool { (1...max(1, count)).contains(id.number) && count > 0 }

  mutating func add(url: String, origin: NavigationMachine.Origin, now: Date) -> NavigationID {
    count += 1
    let id = NavigationID(number: count)
    records[id] = Record(navigation: Navigation(id: id, url: url, startedAt: now), origin: origin)
    order.append(id)
    if order.count > limit { records[order.removeFirst()] = nil }
    return id
  }

  mutating func update(_ id: NavigationID, _ change: (inout Record) -> Void) {
    guard var record = records[id] else { return }
    change(&record)
    records[id] = record
  }
}
