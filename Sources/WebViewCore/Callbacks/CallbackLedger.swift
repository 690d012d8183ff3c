/// Who is told about which question, and what became of each. A question is opened once and closed once.
struct CallbackLedger: Sendable {
  struct Claimer: Hashable, Sendable { let number: Int }
  /// Something to pass on to a claimer.
  struct Notice: Sendable, Equatable {
    let claimer: Claimer
    let notice: ClaimNotice
  }
  enum Opening: Sendable, Equatable {
    case open(Callback, told: [Notice])
    /// The controller has as many open questions as it may, by number or by size.
    case full
  }
  struct Closed: Sendable, Equatable {
    let id: CallbackID
    let controllerID: ControllerID
    let kind: CallbackKind
    let closing: CallbackClosing
    var told: [Notice]
  }
  enum Lookup: Sendable, Equatable {
    case open(CallbackKind)
    case closed(CallbackClosing)
    case unknown
  }

  private struct Entry: Sendable {
    let callback: Callback
    /// Seconds of the ledger's clock.
    let expires: Double
    let size: Int
    var holder: Claimer?
  }
  private struct Claim: Sendable {
    let controllerID: ControllerID?
    var kinds: Set<CallbackKind> = []
    /// The higher, the newer.
    var rank = 0
    /// As last told.
    var holdings: Set<CallbackKind> = []
  }

  private let limit: Int
  private let byteLimit: Int
  private var entries: [CallbackID: Entry] = [:]
  private var closed: [CallbackID: (controllerID: ControllerID, closing: CallbackClosing)] = [:]
  private var closedOrder: [CallbackID] = []
  private var claims: [Claimer: Claim] = [:]
  private var claimers = 0
  private var ranks = 0
  /// Of the last question opened.
  private(set) var number = 0

  /// - Parameters:
  ///   - limit: of open questions of one controller; as many closed ones are remembered in all.
  ///   - byteLimit: of what those questions hold.
  init(limit: Int, byteLimit: Int = .max) {
    self.limit = max(1, limit)
    self.byteLimit = byteLimit
  }

  // MARK: Claims

  mutating func register(_ controllerID: ControllerID?) -> Claimer {
    claimers += 1
    let claimer = Claimer(number: claimers)
    claims[claimer] = Claim(controllerID: controllerID)
    return claimer
  }

  /// What everybody is told: new holdings, and open questions that nobody held.
  mutating func claim(_ kinds: Set<CallbackKind>, by claimer: Claimer, now: Double) -> [Notice] {
    guard claims[claimer] != nil else { return [] }
    ranks += 1
    claims[claimer]?.kinds = kinds
    claims[claimer]?.rank = ranks
    return refreshHoldings() + adoptOrphans(now: now)
  }

  /// Its open questions are closed: nobody else was asked them.
  mutating func unregister(_ claimer: Claimer) -> (closed: [Closed], told: [Notice]) {
    guard claims.removeValue(forKey: claimer) != nil else { return ([], []) }
    let held = entries.values.filter { $0.holder == claimer }.map(\.callback)
    let closed = held.sorted { $0.number < $1.number }.compactMap { close($0.id, .disconnected) }
    return (closed, refreshHoldings())
  }

  private func holder(of kind: CallbackKind, controllerID: ControllerID) -> Claimer? {
    func newest(_ scope: ControllerID?) -> Claimer? {
      claims.filter { $0.value.controllerID == scope && $0.value.kinds.contains(kind) }
        .max { $0.value.rank < $1.value.rank }?.key
    }
    return newest(controllerID) ?? newest(nil)
  }

  private mutating func refreshHoldings() -> [Notice] {
    var notices: [Notice] = []
    for (claimer, claim) in claims.sorted(by: { $0.key.number < $1.key.number }) {
      let holdings = claim.kinds.filter { kind in
        !claims.contains {
          $0.value.controllerID == claim.controllerID && $0.value.kinds.contains(kind)
            && $0.value.rank > claim.rank
        }
      }
      guard holdings != claim.holdings else { continue }
      claims[claimer]?.holdings = holdings
      notices.append(Notice(claimer: claimer, notice: .claims(holdings)))
    }
    return notices
  }

  private mutating func adoptOrphans(now: Double) -> [Notice] {
    var notices: [Notice] = []
    for entry in entries.values.sorted(by: { $0.callback.number < $1.callback.number })
    where entry.holder == nil {
      let callback = entry.callback
      guard let holder = holder(of: callback.kind, controllerID: callback.controllerID) else { continue }
      entries[callback.id]?.holder = holder
      notices.append(Notice(claimer: holder, notice: .opened(current(entry, now: now))))
    }
    return notices
  }

  // MARK: Questions

  mutating func open(
    _ id: CallbackID, _ kind: CallbackKind, controllerID: ControllerID, navigationID: NavigationID?,
    payload: JSONObject, timeout: Double, now: Double
  ) -> Opening {
    let size = payload.roughSize
    let open = entries.values.filter { $0.callback.controllerID == controllerID }
    guard open.count < limit, open.reduce(size, { $0 + $1.size }) <= byteLimit else { return .full }
    number += 1
    let callback = Callback(
      id: id, kind: kind, controllerID: controllerID, navigationID: navigationID, expiresIn: timeout,
      number: number, payload: payload)
    let holder = holder(of: kind, controllerID: controllerID)
    entries[id] = Entry(callback: callback, expires: now + timeout, size: size, holder: holder)
    return .open(callback, told: holder.map { [Notice(claimer: $0, notice: .opened(callback))] } ?? [])
  }

  func lookUp(_ id: CallbackID, controllerID: ControllerID) -> Lookup {
    if let entry = entries[id], entry.callback.controllerID == controllerID {
      return .open(entry.callback.kind)
    }
    if let past = closed[id], past.controllerID == controllerID { return .closed(past.closing) }
    return .unknown
  }

  /// nil when it is not open: whoever comes second comes too late.
  mutating func close(_ id: CallbackID, _ closing: CallbackClosing) -> Closed? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    let callback = entry.callback
    closed[id] = (callback.controllerID, closing)
    closedOrder.append(id)
    if closedOrder.count > limit { closed[closedOrder.removeFirst()] = nil }
    let notice = ClaimNotice.closed(id, callback.controllerID, closing)
    return Closed(
      id: id, controllerID: callback.controllerID, kind: callback.kind, closing: closing,
      told: entry.holder.map { [Notice(claimer: $0, notice: notice)] } ?? [])
  }

  /// Open ones, oldest first.
  func callbacks(of controllerID: ControllerID, kinds: Set<CallbackKind>?, since: Int?, now: Double)
    -> [Callback]
  {
    entries.values
      .filter {
        $0.callback.controllerID == controllerID && $0.callback.number > (since ?? 0)
          && kinds?.contains($0.callback.kind) != false
      }
      .sorted { $0.callback.number < $1.callback.number }
      .map { current($0, now: now) }
  }

  private func current(_ entry: Entry, now: Double) -> Callback {
    var callback = entry.callback
    callback.expiresIn = max(0, entry.expires - now)
    return callback
  }
}
