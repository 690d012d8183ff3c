import CWebKit
import GLibBridge
import WebViewCore

/// Requests, by the way that WebKitGTK leaves for each: it loads a GET, it goes to an entry of the history that has
/// a body, and what it cannot send at all is fetched for it and shown.
extension WebKitPage {
  func load(_ request: LoadRequest) {
    switch request.method {
    case "GET":
      if request.isOfHistory {
        let request = withoutFragmentOfDocument(request)
        tracker.askEntry(url: request.url)
        whenReady { $0.afterStoring(request.cookies, Self.add) { $0.get(request) } }
      } else {
        tracker.askLoad(url: request.url)
        whenReady { $0.afterStoring(request.cookies, Self.add) { $0.get(request) } }
      }
    case "POST":
      let request = withoutFragmentOfDocument(request)
      tracker.askEntry(url: request.url)
      whenReady { $0.afterStoring(request.cookies, Self.add) { $0.post(request) } }
    default: beginFetch(request)
    }
  }

  func load(_ request: LoadRequest, simulated response: SimulatedResponse) {
    let document = GivenDocument(response, url: request.url)
    let cookies = response.headers.values(of: "Set-Cookie")
    tracker.askContent(url: request.url)
    whenReady { page in
      page.afterStoring(cookies, { try await $0.take(setCookies: $1, from: request.url) }) { page in
        let events = ForetoldNavigation.start(of: document.url) + [.responded(document.response)]
        guard let refusal = page.refusal(of: document) else {
          page.foretold.give(document.response)
          return page.show(document)
        }
        page.giveUpLoading()
        _ = page.tracker.stop()
        page.announce(events + [refusal])
      }
    }
  }

  // MARK: By WebKit

  func get(_ request: LoadRequest) {
    if request.isOfHistory { return goToNewEntry(.init(url: request.url), for: request) }
    scoped(.none) { page in
      let made = webkit_uri_request_new(request.url)!
      defer { g_object_unref(made.raw) }
      page.carry(request)
      if request.passesLocalCache, let headers = webkit_uri_request_get_http_headers(made) {
        // A condition of the caller's own makes WebKit pass its cache by. It is not one of the site's, and
        // WebKit does not send it.
        soup_message_headers_replace(headers, "If-None-Match", "\"x\"")
      }
      webkit_web_view_load_request(page.view, made)
    }
  }

  private func post(_ request: LoadRequest) {
    guard let body = PostedBody(request.body ?? []) else {
      return failLoading(LoadError(.other, "There is no room for the request's body."))
    }
    postedBodies.keep(body)
    goToNewEntry(
      .init(url: request.url, body: (request[header: "Content-Type"] ?? "", body)), for: request)
  }

  /// What the process tells comes in order: its answer follows all that it has to say of the request's end. One
  /// that hangs says nothing more.
  func settlePostLater(url: String) {
    let number = issuedLoad.number
    func settle(isHung: Bool) -> @PageActor () -> Void {
      { [weak self] in
        guard let self, !self.isClosed, self.issuedLoad.number == number,
          let end = self.postedEntry.settle()
        else { return }
        switch end {
        case .failed(let error):
          self.tell(self.tracker.failed(error, url: url, isInterruption: !isHung))
          if self.tracker.isInterrupted { self.findOutWhatInterrupts() }
        case .failedUnexplained: self.explainFailure(of: url)
        }
      }
    }
    probe(completion: settle(isHung: false))
    _ = engine.timers.after(Self.patienceWithPost, settle(isHung: true))
  }

  private static let patienceWithPost = Duration.seconds(2)

  private func explainFailure(of url: String) {
    if tracker.redirects >= LoadRequest.maximumRedirects {
      return tell(tracker.failed(LoadError(.tooManyRedirects, "There are too many redirects."), url: url))
    }
    prepare { page in
      let error = await page.reasonOfFailure(of: url)
      if !Task.isCancelled { page.tell(page.tracker.failed(error, url: url)) }
    }
  }

  /// WebKit would go to a fragment of the document that is there and ask nobody.
  private func withoutFragmentOfDocument(_ request: LoadRequest) -> LoadRequest {
    guard tracker.documentURL?.withoutFragment == request.url.withoutFragment else { return request }
    var request = request
    request.url = String(request.url.withoutFragment)
    return request
  }

  private func goToNewEntry(_ new: SessionState.Entry, for request: LoadRequest) {
    guard new.body != nil else { return begin(new, for: request) }
    prepare { page in
      let isOpening = await page.keepsOpeningItsDocument()
      guard !Task.isCancelled, !page.isClosed else { return }
      if isOpening { page.giveWayToNextProcess() } else { page.begin(new, for: request) }
    }
  }

  /// What the page would make of the request once it was sent could not be made good.
  private func giveWayToNextProcess() {
    guard case .overtaken(let url, _)? = tracker.lost().first else { return }
    tell([.overtaken(url: url, isStubborn: true)])
  }

  /// To an entry that is in no list: what the page does to its history meanwhile is none of this load's. Its
  /// document adds one.
  private func begin(_ new: SessionState.Entry, for request: LoadRequest) {
    var made: OwnedObject<HistoryEntry>?
    scoped(.none) { page in
      made = made ?? page.entryMaker.make(new)
      guard let entry = made else {
        return page.failLoading(LoadError(.other, "The engine did not take the request."))
      }
      page.carry(request)
      if new.body != nil { page.postedEntry.send(url: new.url) }
      page.owedEntry.hold()
      page.keepProcess(true)
      webkit_web_view_go_to_back_forward_list_item(page.view, entry.pointer)
    }
  }

  /// Headers that WebKit would replace, or does not take. The type of a posted body is the entry's.
  private func carry(_ request: LoadRequest) {
    let given = request.method == "POST" ? request.headers.without("Content-Type") : request.headers
    let fields =
      request.cachePolicy.directives.map { LoadRequest.Header(name: $0.name, value: $0.value) } + given
    setNavigationHeaders(fields.isEmpty ? nil : NavigationHeaders(fields: fields), for: request.url)
  }

  // MARK: Cookies first

  /// Begins a load when the jar has these.
  private func afterStoring<Given: Sendable>(
    _ cookies: [Given], _ store: @escaping @PageActor (WebKitStore, [Given]) async throws -> Void,
    _ then: @escaping @PageActor (WebKitPage) -> Void
  ) {
    guard !cookies.isEmpty else { return then(self) }
    prepare { page in
      do {
        try await store(page.store, cookies)
      } catch {
        guard !Task.isCancelled else { return }
        return page.failLoading(LoadError(.other, "The request's cookies could not be stored."))
      }
      if !Task.isCancelled { then(page) }
    }
  }

  private static func add(to store: WebKitStore, _ cookies: [Cookie]) async throws {
    for cookie in cookies { try await store.add(cookie) }
  }

  /// What is done before WebKit is given a load, until that is no longer wanted. Its deadline is the load's.
  func prepare(_ work: @escaping @PageActor (WebKitPage) async -> Void) {
    preparation?.cancel()
    tracker.asked?.isPrepared = true
    preparation = Task { @PageActor [weak self] in
      if let self { await work(self) }
    }
  }

  func endPreparation() {
    preparation?.cancel()
    preparation = nil
    foretold.forget()
    postedEntry.forget()
  }

  // MARK: Showing

  func show(_ document: GivenDocument) {
    let url = ofNewDocument(document.url)
    tracker.askContent(url: url)
    var isAgain = false
    scoped(.none) { page in
      if isAgain { page.foretold.giveAgain(document.response) }
      isAgain = true
      page.enforce(document.contentSecurityPolicies)
      // Without any WebKit would take UTF-8, whatever the document itself says.
      page.loadBytes(document.bytes, document.mimeType, document.response.encoding ?? "", url)
    }
  }

  /// WebKit goes there without loading anything, were it given another document for that address.
  func isPlaceInDocument(_ url: String) -> Bool {
    url.contains("#")
      && tracker.documentURL?.withoutCredentials.withoutFragment == url.withoutCredentials.withoutFragment
  }

  /// Under which WebKit takes content that it is given.
  func ofNewDocument(_ url: String) -> String {
    isPlaceInDocument(url) ? String(url.withoutFragment) : url
  }

  /// Why there is nothing to show.
  func refusal(of document: GivenDocument) -> EnginePageEvent? {
    if document.response.hasNoDocument { return .failed(.noDocument(document.response), url: document.url) }
    let isTypeShown = webkit_web_view_can_show_mime_type(view, document.mimeType) != 0
    return document.response.refusal(isTypeShown: isTypeShown).map { .responseRefused($0, url: document.url) }
  }
}

extension LoadRequest {
  /// Loaded as an entry of the history, which is shown as it was: never a fragment of the document that is there.
  fileprivate var isOfHistory: Bool { cachePolicy == .returnCacheDataElseLoad && url.hasPrefix("http") }

  /// By its policy, or because whether it holds what the caller has is the site's to say, as the Fetch Standard has it.
  fileprivate var passesLocalCache: Bool {
    cachePolicy.passesLocalCache || headers.contains { Self.conditions.contains($0.name.lowercased()) }
  }

  private static let conditions: Set = [
    "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
  ]
}

extension CachePolicy {
  /// WebKit itself may have an answer.
  fileprivate var passesLocalCache: Bool {
    self == .reloadIgnoringLocalCacheData || self == .reloadIgnoringLocalAndRemoteCacheData
  }

  /// What caches on the way obey.
  var directives: [(name: String, value: String)] {
    self == .reloadIgnoringLocalAndRemoteCacheData
      ? [("Cache-Control", "no-cache"), ("Pragma", "no-cache")] : []
  }
}
