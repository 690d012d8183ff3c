import Foundation

/// The last navigations of a controller, for lookups; the oldest go first.
struct NavigationRecords: Sendable {
  struct Record: Sendable {
    var navigation: Navigation
    let origin: NavigationMachine.Origin
    /// Its loadStart was told.
    var isAnnounced = false
    /// Seconds after its end within which its document redirects by itself.
    var redirectWindow = ClientRedirects.window

    func seconds(until now: Date) -> Double {
      // Whole microseconds: what lies beyond is noise of the subtraction.
      (max(0, now.timeIntervalSince(navigation.startedAt)) * 1_000_000).rounded() / 1_000_000
    }
  }

  /// Addresses and headers are the page's and its servers' to choose: beyond this the oldest records go.
  private static let byteLimit = 8 << 20
  /// These stay, whatever their size.
  private static let kept = 8

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
  /// Where the document of `id` went by itself.
  func redirect(of id: NavigationID) -> NavigationID? {
    order.first { records[$0]?.navigation.clientRedirectOf == id }
  }
  /// Was given out, perhaps forgotten.
  func wasIssued(_ id: NavigationID) -> Bool { (1...max(1, count)).contains(id.number) && count > 0 }

  mutating func add(url: String, origin: NavigationMachine.Origin, now: Date) -> NavigationID {
    count += 1
    let id = NavigationID(number: count)
    records[id] = Record(navigation: Navigation(id: id, url: url, startedAt: now), origin: origin)
    order.append(id)
    if order.count > limit { records[order.removeFirst()] = nil }
    if url.utf8.count > Self.byteLimit / limit || order.count % 16 == 0 { shrink() }
    return id
  }

  private mutating func shrink() {
    var left = records.values.reduce(0) { $0 + $1.navigation.roughSize }
    while left > Self.byteLimit, order.count > Self.kept {
      let oldest = order.removeFirst()
      left -= records.removeValue(forKey: oldest)?.navigation.roughSize ?? 0
    }
  }

  mutating func update(_ id: NavigationID, _ change: (inout Record) -> Void) {
    guard var record = records[id] else { return }
    change(&record)
    records[id] = record
  }
}

extension Navigation {
  fileprivate var roughSize: Int {
    let headers = response?.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0
    return url.utf8.count + (response?.url.utf8.count ?? 0) + headers
      + redirects.reduce(0) { $0 + $1.url.utf8.count } + (error?.message.utf8.count ?? 0)
  }
}
