import CWebKit
import Foundation
import GLibBridge
import WebViewCore

extension WebKitPage {
  // MARK: Commands

  func load(_ content: LoadContent) {
    guard !isClosed else { return }
    dropUntoldNavigation()
    calling {
      switch content {
      case .url(let url):
        tracker.askLoad(url: url)
        whenReady { page in
          page.scoped(.none) { webkit_web_view_load_uri($0.view, url) }
        }
      case .html(let html, let baseURL):
        let baseURL = baseURL.map(ofNewDocument)
        tracker.askContent(url: baseURL ?? "about:blank")
        whenReady { page in
          page.scoped(.none) { $0.loadBytes(Array(html.utf8), "text/html", "utf-8", baseURL) }
        }
      case .data(let bytes, let mimeType, let encoding, let baseURL):
        let baseURL = ofNewDocument(baseURL)
        tracker.askContent(url: baseURL)
        guard webkit_web_view_can_show_mime_type(view, mimeType) != 0 else {
          // Loaded all the same it would look like an empty document.
          giveUpLoading()
          let error = LoadError(.cannotShowMIMEType, "The type \(mimeType) cannot be shown.")
          return tellLater(tracker.refuseAsked(error))
        }
        whenReady { page in
          page.scoped(.none) { $0.loadBytes(bytes, mimeType, encoding, baseURL) }
        }
      case .file(let path, let readAccess):
        let url = URL(fileURLWithPath: path, isDirectory: false).absoluteString
        tracker.askLoad(url: url)
        let scope = FileScopes.Scope(readAccess: readAccess)
        fileHistory.remember(scope, for: url)
        whenReady { page in
          page.scoped(scope) { webkit_web_view_load_uri($0.view, url) }
        }
      case .request(let request): load(request)
      case .simulated(let request, let response): load(request, simulated: response)
      }
    }
    stateChangedLater()
  }

  func reload(fromOrigin: Bool) {
    guard !isClosed else { return }
    dropUntoldNavigation()
    calling {
      tracker.askReload()
      let scope = fileHistory.scope(of: tracker.documentURL)
      whenReady { page in
        page.scoped(scope) {
          if fromOrigin {
            webkit_web_view_reload_bypass_cache($0.view)
          } else {
            webkit_web_view_reload($0.view)
          }
        }
      }
    }
    stateChangedLater()
  }

  func stopLoading() {
    guard !isClosed else { return }
    if isEntryDue { forgetUntold() }
    calling {
      announce(foretold.failed(LoadError(.cancelled, "The load was stopped.")))
      tell(tracker.stop())
      giveUpLoading()
    }
    stateChangedLater()
  }

  /// What WebKit loads or is about to load comes to nothing.
  func giveUpLoading() {
    endPreparation()
    dropHeldLoad()
    dropNavigationHeaders()
    dropOwedEntry()
    processes.navigationChanged()
    _ = issuedLoad.ask()
    issuedLoad.ended()
    // Before that WebKit loads the blank document, without which nothing else begins.
    if isReady { webkit_web_view_stop_loading(view) }
  }

  /// For want of something of ours.
  func failLoading(_ error: LoadError) {
    giveUpLoading()
    tellLater(
      tracker.stop().map { event in
        if case .failed(_, let url) = event { .failed(error, url: url) } else { event }
      })
  }

  func stateChangedLater() { afterThisTurn { $0.stateChanged() } }

  /// Puts the rules in force that say which files the next document may read, then begins its load.
  func scoped(_ scope: FileScopes.Scope, _ begin: @escaping @PageActor (WebKitPage) -> Void) {
    tracker.asked?.isPrepared = true
    let number = issuedLoad.ask()
    engine.fileScopes.filter(for: scope) { [weak self] filter in
      guard let self, !self.isClosed, self.issuedLoad.number == number else { return }
      guard let filter else {
        return self.failLoading(LoadError(.other, "The rules for reading files could not be prepared."))
      }
      if self.appliedScope != scope {
        if let applied = self.appliedFilterIdentifier {
          webkit_user_content_manager_remove_filter_by_id(self.content, applied)
        }
        webkit_user_content_manager_add_filter(self.content, filter.pointer)
        self.appliedFilterIdentifier = string(webkit_user_content_filter_get_identifier(filter.pointer))
        self.appliedScope = scope
      }
      self.afterKeptProcesses { self.give(begin) }
    }
  }

  private func give(_ begin: @escaping @PageActor (WebKitPage) -> Void) {
    issuedLoad.give(begin)
    tracker.asked?.isPrepared = false
    ReopenedDocument.forgetOpening(of: self)
    calling {
      // WebKit goes back to where it was only before something else takes the step's place.
      if tracker.asked?.takesPlaceOfStep == true { webkit_web_view_stop_loading(view) }
      if needsProcess { startingProcess { begin(self) } } else { begin(self) }
    }
  }

  func loadBytes(_ bytes: [UInt8], _ mimeType: String, _ encoding: String?, _ baseURL: String?) {
    // WebKit refuses to load no bytes at all, without a word. A byte order mark is not part of the document.
    let bytes = bytes.isEmpty ? [0xEF, 0xBB, 0xBF] : bytes
    let data = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    webkit_web_view_load_bytes(view, data, mimeType, encoding, baseURL)
    g_bytes_unref(data)
  }

  // MARK: Signals

  func connectNavigationSignals() {
    onPage(view, "load-changed") { [weak self] (_: OpaquePointer, event: UInt32) in
      self?.loadChanged(WebKitLoadEvent(rawValue: event))
    }
    onPage(view, "load-failed") {
      [weak self] (_: OpaquePointer, _: UInt32, url: String, error: OpaquePointer) -> Bool in
      self?.loadFailed(GLibError(copying: UnsafePointer(error.cast(to: GError.self))), url: url)
      // Without it WebKit would load an error page of its own, with a sequence of signals of its own.
      return true
    }
    onPage(view, "load-failed-with-tls-errors") {
      [weak self] (_: OpaquePointer, url: String, _: OpaquePointer, flags: UInt32) -> Bool in
      self?.failed(LoadError(.tlsError, Self.text(of: flags)), url: url)
      return true
    }
    onPage(view, "decide-policy") {
      [weak self] (_: OpaquePointer, decision: OpaquePointer, type: UInt32) -> Bool in
      self?.decide(decision, WebKitPolicyDecisionType(rawValue: type))
      return true
    }
    onPage(view, "resource-load-started") {
      [weak self] (_: OpaquePointer, resource: OpaquePointer, request: OpaquePointer) in
      self?.resourceStarted(resource.cast(), request: request.cast())
    }
    onPage(view, "notify::page-id") { [weak self] (_: OpaquePointer) in self?.processSwapped() }
    onPage(view, "notify::uri") { [weak self] (_: OpaquePointer) in
      guard let self, self.isReady else { return }
      self.tell(self.tracker.addressChanged(viewURL: self.viewURL))
      self.askDocumentURL()
      self.stateChanged()
      if self.tracker.mayBeLost { self.findOutWhetherLoadIsLost() }
    }
    onPage(view, "notify::is-loading") { [weak self] (_: OpaquePointer) in
      guard let self, self.isReady else { return }
      if webkit_web_view_is_loading(self.view) == 0 {
        self.tell(self.tracker.loadingEnded(viewURL: self.viewURL))
        self.askDocumentURL()
      }
      self.stateChanged()
    }
    onPage(webkit_web_view_get_back_forward_list(view)!, "changed") {
      [weak self] (_: OpaquePointer) in
      guard let self, self.isReady else { return }
      self.historyChanged()
    }
  }

  var viewURL: String? { string(webkit_web_view_get_uri(view)) }

  private func loadChanged(_ event: WebKitLoadEvent) {
    guard isReady else {
      if event == WEBKIT_LOAD_FINISHED { becomeReady() }
      return
    }
    switch event {
    case WEBKIT_LOAD_STARTED: tell(tracker.started(viewURL: viewURL))
    case WEBKIT_LOAD_REDIRECTED: tell(tracker.redirected(viewURL: viewURL))
    case WEBKIT_LOAD_COMMITTED:
      documentCommitted()
      noteCommit()
      rememberFile()
      tellCachedResponse()
      tell(tracker.committed(viewURL: viewURL))
      noteEntriesBeforeGiven()
      askDocumentURL()
    case WEBKIT_LOAD_FINISHED:
      tell(tracker.finished(viewURL: viewURL, isLoading: webkit_web_view_is_loading(view) != 0))
      askDocumentURL()
    default: break
    }
  }

  /// A link may lead to another file of the same scope, which is to be reloaded and returned to.
  private func rememberFile() {
    guard let scope = appliedScope, scope != .none, let url = viewURL, url.hasPrefix("file:") else { return }
    fileHistory.remember(scope, for: url)
  }

  private func loadFailed(_ error: GLibError, url: String) {
    // A media document plays in spite of this error, and goes on to finish.
    if error.domain == "WebKitPluginError", error.code == 204 { return }
    if isDropped(error) { return }
    failed(
      LoadError(error, redirects: tracker.redirects, url: url), url: url, isInterruption: error.isInterruption
    )
  }

  private func failed(_ error: LoadError, url: String, isInterruption: Bool = false) {
    guard isReady else { return becomeReady() }
    let isLoading = webkit_web_view_is_loading(view) != 0
    if postedEntry.failed(error, isLoading: isLoading) { return settlePostLater(url: url) }
    tell(tracker.failed(error, url: url, isInterruption: isInterruption))
    if tracker.isInterrupted, !isLoading { findOutWhatInterrupts() }
  }

  private func decide(_ decision: OpaquePointer, _ type: WebKitPolicyDecisionType) {
    let policy: UnsafeMutablePointer<WebKitPolicyDecision> = decision.cast()
    switch type {
    case WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION:
      let navigation: UnsafeMutablePointer<WebKitNavigationPolicyDecision> = decision.cast()
      let action = webkit_navigation_policy_decision_get_navigation_action(navigation)
      let url = string(webkit_uri_request_get_uri(webkit_navigation_action_get_request(action))) ?? ""
      let isRedirect = webkit_navigation_action_is_redirect(action) != 0
      let kind = webkit_navigation_action_get_navigation_type(action)
      let isOfHistory = kind == WEBKIT_NAVIGATION_TYPE_BACK_FORWARD
      // Of what is under way a process may have been started already: the start is told later than that.
      if !tracker.isUnderWay { processes.navigationChanged() }
      let wasDecided = tracker.asked?.wasDecided
      guard !postedEntry.isRepeated(by: url, isRedirect: isRedirect),
        !isReady
          || tracker.decided(
            url: url, viewURL: viewURL, isRedirect: isRedirect, isStep: isOfHistory,
            isUserInitiated: webkit_navigation_action_is_user_gesture(action) != 0)
      else { return webkit_policy_decision_ignore(policy) }
      let isOurs = wasDecided == false && tracker.asked?.wasDecided == true
      // The process may send it before it tells so.
      if postedEntry.isSent, isOurs { issuedLoad.requested("POST") }
      deliverNavigationHeaders(url: url, isRedirect: isRedirect)
      // With another process it would get another entry.
      let isReload =
        kind == WEBKIT_NAVIGATION_TYPE_RELOAD || kind == WEBKIT_NAVIGATION_TYPE_FORM_RESUBMITTED
      if isReload, isProcessKept { keepProcess(true) }
      deliverOwedEntry(isOurs: isOurs, isRedirect: isRedirect, isOfHistory: isOfHistory)
      webkit_policy_decision_use(policy)
    case WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION:
      webkit_policy_decision_ignore(policy)
    default:
      let response: UnsafeMutablePointer<WebKitResponsePolicyDecision> = decision.cast()
      let values = MainResourceResponse(webkit_response_policy_decision_get_response(response))
      let refusal = values.refusal(
        isTypeShown: webkit_response_policy_decision_is_mime_type_supported(response) != 0)
      if isReady, webkit_response_policy_decision_is_main_frame_main_resource(response) != 0 {
        tell(tracker.responded(values, refusal: refusal))
      }
      if refusal == nil { webkit_policy_decision_use(policy) } else { webkit_policy_decision_ignore(policy) }
    }
  }

  private func resourceStarted(
    _ resource: UnsafeMutablePointer<WebKitWebResource>, request: UnsafeMutablePointer<WebKitURIRequest>
  ) {
    noteRequest(resource)
    guard isReady, resource == webkit_web_view_get_main_resource(view) else { return }
    let named = string(webkit_uri_request_get_http_method(request)) ?? ""
    // A file is read.
    let method = named.isEmpty ? "GET" : named
    tell(
      tracker.mainResourceStarted(
        url: string(webkit_uri_request_get_uri(request)) ?? "",
        isRepeatable: issuedLoad.isRepeated(by: method)))
    if tracker.isOursProvisional { issuedLoad.requested(method) }
    onPage(resource, "sent-request") {
      [weak self] (_: OpaquePointer, request: OpaquePointer, redirected: OptionalPointer) in
      let status: Int? = redirected.pointer.map {
        Int(webkit_uri_response_get_status_code($0.cast()))
      }
      self?.tracker.sentRequest(
        url: string(webkit_uri_request_get_uri(request.cast())) ?? "", redirectStatus: status)
    }
  }

  private static func text(of flags: UInt32) -> String {
    let names = [
      "its issuer is unknown", "it is for another host", "it is not valid yet", "it has expired",
      "it was revoked", "it uses an insecure algorithm", "it is not acceptable",
    ]
    let reasons = names.indices.filter { flags & (1 << UInt32($0)) != 0 }.map { names[$0] }
    return "The server's certificate is refused: \(reasons.joined(separator: ", "))."
  }
}
