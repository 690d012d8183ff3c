/// Finds, among all requests of a page, those of the one navigation that was given headers.
///
/// Pure: what WebKit shows goes in, what is to be changed comes out.
public struct HeadedNavigation: Sendable {
  public struct Change: Equatable, Sendable {
    public var set: [HeaderField]
    public var remove: [String]
    public init(set: [HeaderField], remove: [String]) {
      self.set = set
      self.remove = remove
    }
  }

  private struct Leg {
    var method: String
    var headers: GivenHeaders
  }

  private enum State {
    case none
    /// It may go on: the next request for a main document is its first.
    case awaited(url: String, GivenHeaders)
    /// The requests that went out for it, by URL. Another request for one of them may be redirected meanwhile, and
    /// is not always to be told apart: all are remembered, so that none goes on with what it must not have.
    case underWay([Substring: Leg])
  }

  /// A header as it was given, and what the engine itself would have sent.
  private struct Replaced {
    var given: HeaderField
    var own: String?
  }

  /// What a navigation left in the requests that it consisted of.
  private struct Left {
    var urls: Set<Substring>
    var headers: [Replaced]
  }

  /// As many documents as are likely to be returned to.
  private static let limit = 16

  private var state = State.none
  /// Of the last navigations that had headers, the newest first: WebKit keeps a document's request with whatever
  /// was set in it, and sends it once more when that document is reloaded, or returned to.
  private var kept: [Left] = []

  public init() {}

  /// False: no request is of interest.
  public var isThere: Bool {
    if case .none = state { !kept.isEmpty } else { true }
  }

  /// - Parameter headers: none at all: the navigation that had some is over.
  public mutating func give(_ headers: GivenHeaders, url: String) {
    state = headers.fields.isEmpty ? .none : .awaited(url: url, headers)
  }

  /// nil: it goes out as it is.
  /// - Parameter value: of one of its headers.
  public mutating func willSend(_ request: PageRequest, value: (String) -> String?) -> Change? {
    if let from = request.redirectedFrom { return willFollow(request, from: from) }
    guard request.purpose(isOfMainDocument: { _ in false }) == .mainDocument else { return nil }
    guard case .awaited(let url, let headers) = state, PageRequest.isSame(request.url, url) else {
      state = .none
      return ownHeaders(of: request, value)
    }
    let place = url.withoutFragment
    state = .underWay([place: Leg(method: request.method, headers: headers)])
    kept.insert(
      Left(urls: [place], headers: headers.fields.map { Replaced(given: $0, own: value($0.name)) }), at: 0)
    if kept.count > Self.limit { kept.removeLast() }
    return Change(set: headers.fields, remove: [])
  }

  private mutating func willFollow(_ request: PageRequest, from: String) -> Change? {
    guard case .underWay(let legs) = state, var leg = legs[from.withoutFragment] else {
      return nil
    }
    // Plain http after https has neither of the headers by which a document's request is known.
    let isUnknown = request.destination == nil && !request.upgradesInsecureRequests
    let purpose = request.purpose { legs[$0.withoutFragment] != nil }
    guard isUnknown || purpose == .mainDocument else { return nil }
    let removed = leg.headers.followRedirect(
      from: from, to: request.url, keepsMethod: leg.method == request.method)
    leg.method = request.method
    let place = request.url.withoutFragment
    state = .underWay(legs.merging([place: leg]) { $1 })
    // Of the one that is under way.
    kept[0].urls.insert(place)
    return Change(set: isUnknown ? [] : leg.headers.fields, remove: removed)
  }

  /// What WebKit repeats of an earlier navigation becomes its own again.
  private func ownHeaders(of request: PageRequest, _ value: (String) -> String?) -> Change? {
    let place = request.url.withoutFragment
    var repeated: [Replaced] = []
    for left in kept where left.urls.contains(place) {
      repeated += left.headers.filter { header in
        value(header.given.name) == header.given.value
          && !repeated.contains { $0.given.name.lowercased() == header.given.name.lowercased() }
      }
    }
    return repeated.isEmpty
      ? nil
      : Change(
        set: repeated.compactMap { header in
          header.own.map { HeaderField(name: header.given.name, value: $0) }
        }, remove: repeated.filter { $0.own == nil }.map(\.given.name))
  }
}
