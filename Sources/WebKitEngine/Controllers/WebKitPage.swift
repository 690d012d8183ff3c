import CWebKit
import GLibBridge
import Glibc
import WebViewCore

/// A web view in a window of its own, with its process: the port's page on WebKitGTK.
@PageActor
final class WebKitPage: EnginePage {
  weak var delegate: (any EnginePageDelegate)?

  let engine: WebKitEngine
  let store: WebKitStore
  let context: PageContext
  let view: UnsafeMutablePointer<WebKitWebView>
  let content: UnsafeMutablePointer<WebKitUserContentManager>
  let engineSettings: UnsafeMutablePointer<WebKitSettings>
  let window: PageWindow

  var tracker = NavigationTracker()
  var headerDelivery = NavigationHeaderDelivery()
  var foretold = ForetoldNavigation()
  var postedBodies = PostedBodies()
  var postedEntry = PostedEntry()
  /// What is done before WebKit is given the load that was asked for.
  var preparation: Task<Void, Never>?
  /// Carries the policies of the document that is loaded next.
  var policyScript: OpaquePointer?
  var messageHandlers = MessageHandlers()
  var appliedScope: FileScopes.Scope?
  var appliedFilterIdentifier: String?
  var issuedLoad = IssuedLoad<@PageActor (WebKitPage) -> Void>()
  /// Counts the loads that WebKit gave up.
  var interruptions = 0
  /// Who waits for the process to answer.
  var probes: [Int: @PageActor () -> Void] = [:]
  var probeNumber = 0
  var fileHistory = FileHistory()
  var networkActivity = NetworkActivity(now: .now)
  var historyIDs = HistoryIDs<HistoryEntry>()
  var entriesBeforeGiven: Set<HistoryItemID> = []
  /// Keeps the entries that have names from being freed.
  var heldHistory: [OwnedObject<HistoryEntry>] = []
  var owedEntry = OwedEntryDelivery()
  /// The document is there, and its entry is not.
  var isEntryDue = false
  /// The next document is to come in the process that is there.
  var isProcessWanted = false
  /// That of the document that is there was wanted.
  var isProcessKept = false
  /// Which the entry that is due was asked for by.
  var initialURL: String?
  var initialURLs: [HistoryItemID: String] = [:]
  private(set) lazy var entryMaker = EntryMaker(context: context)
  /// Of the last step in the history.
  var historyTarget: OwnedObject<HistoryEntry>?
  var currentSettings = WebViewSettings()

  /// Counts the documents.
  private(set) var documentNumber = 0
  /// The worlds of the current document that were given the runtime after it began.
  var runtimeWorlds: Set<ContentWorld> = []

  /// What waits for the blank document begins with the page as its argument.
  private var phase = PagePhase<@PageActor (WebKitPage) -> Void>()
  private(set) var title: String?
  private(set) var hasInsecureContent = false
  var processes = PageProcesses<StartedProcess>()
  /// Of the processes that had not the page.
  var lastKeptEnd: ContinuousClock.Instant?
  private var callDepth = 0
  private var untold: [EnginePageEvent] = []

  /// After which a blank document that never came no longer holds up loads.
  private static let blankDeadline = Duration.seconds(15)
  /// What WebKit's own way of ending a process has before the process is killed.
  private static let closingGrace = Duration.seconds(1)

  init(store: WebKitStore, engine: WebKitEngine, viewport: Viewport) {
    self.engine = engine
    self.store = store
    context = PageContext(store: store, engine: engine)
    content = webkit_user_content_manager_new()!
    engineSettings = webkit_settings_new()!
    webkit_settings_set_hardware_acceleration_policy(
      engineSettings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    // Unlabelled HTML and JSON would be read as windows-1252.
    webkit_settings_set_default_charset(engineSettings, "utf-8")
    // As in WKWebView: no element takes the whole screen unasked. WebKitGTK would grant it to every page.
    webkit_settings_set_enable_fullscreen(engineSettings, 0)
    view = webview_web_view_new(context.pointer, content, engineSettings)!.cast()
    // Its window lets go of it when the page is closed; completions may still name it.
    g_object_ref_sink(view.raw)
    window = PageWindow(
      view: view, viewport: viewport, isMapped: engine.options.usesPrivateDisplay, timers: engine.timers)
    currentSettings.viewport = viewport
    connectProcesses()
    addRuntimeScripts()
    connectNavigationSignals()
    connectStateSignals()
    connectPrompts()
    loadBlank()
  }

  isolated deinit {
    close()
    g_object_unref(view.raw)
    g_object_unref(content.raw)
    g_object_unref(engineSettings.raw)
  }

  // MARK: State

  var isReady: Bool { phase.isReady }
  var isClosed: Bool { phase.isClosed }
  var canRunScripts: Bool { phase.hasProcess }
  var needsProcess: Bool { phase.needsProcess }
  /// Counts the processes that this page lost.
  var processGeneration: Int { phase.processGeneration }

  var url: String? { (foretold.url ?? tracker.url)?.withoutCredentials }
  var isLoading: Bool { !isClosed && (foretold.isFetching || tracker.isLoading) }
  var estimatedProgress: Double {
    isClosed || tracker.documentURL == nil && !isLoading
      ? 0 : webkit_web_view_get_estimated_load_progress(view)
  }

  var hasOnlySecureContent: Bool {
    guard !isClosed, !hasInsecureContent, tracker.documentURL?.hasPrefix("https:") == true else {
      return false
    }
    var certificate: UnsafeMutablePointer<GTlsCertificate>?
    var errors = GTlsCertificateFlags(rawValue: 0)
    return webkit_web_view_get_tls_info(view, &certificate, &errors) != 0
  }

  var processIdentifier: Int32? {
    isClosed || needsProcess ? nil : processes[pageID]?.identifier
  }

  // MARK: Telling

  /// Runs what may make WebKit signal at once: events wait for the next turn, so that nobody is called back
  /// from inside of their own call.
  func calling<Result>(_ body: () -> Result) -> Result {
    callDepth += 1
    defer { callDepth -= 1 }
    return body()
  }

  var isCalling: Bool { callDepth > 0 }

  /// What WebKit tells.
  func tell(_ events: [EnginePageEvent]) {
    guard !isClosed else { return }
    leaveGivenContent()
    let events = insisted(events)
    guard !events.isEmpty else { return }
    dropNavigationHeaders(after: events)
    let wasFetching = foretold.isFetching
    let told = foretold.completed(events)
    if wasFetching, !foretold.isFetching { endPreparation() }
    if events.contains(where: \.endsProvisionalLoad) {
      processes.navigationChanged()
      dropPolicies()
      endPreparation()
      if events.contains(where: \.isCommit), !events.contains(where: \.isOvertaking) {
        payOwedEntry()
      } else {
        dropOwedEntry()
      }
      issuedLoad.ended()
      seeDocument()
    }
    announce(told)
  }

  func announce(_ events: [EnginePageEvent]) {
    guard !events.isEmpty, !isClosed else { return }
    if callDepth > 0 || isEntryDue { return tellLater(events) }
    tellUntold()
    for event in events { delegate?.page(self, did: event.withoutCredentials) }
  }

  func tellLater(_ events: [EnginePageEvent]) {
    guard !events.isEmpty else { return }
    let isFirst = untold.isEmpty
    untold += events
    if isFirst { afterThisTurn { $0.tellUntold() } }
  }

  /// A newer load was asked for: the end of an older one would be taken for the newer one's.
  func dropUntoldNavigation() {
    dropNavigationHeaders()
    dropOwedEntry()
    processes.navigationChanged()
    endPreparation()
    dropPolicies()
    _ = issuedLoad.ask()
    forgetUntold()
  }

  /// What is not told yet of a navigation is told of none any more.
  func forgetUntold() {
    untold = untold.compactMap { event in
      switch event {
      case .stateChanged, .historyChanged, .processTerminated, .documentReplaced: event
      case .committed: .documentReplaced
      default: nil
      }
    }
    entryCame()
  }

  /// The document that is there has its entry, or gets none: what was held back until then is told.
  func entryCame() {
    guard isEntryDue else { return }
    isEntryDue = false
    afterThisTurn { $0.tellUntold() }
  }

  private func tellUntold() {
    guard !isEntryDue else { return }
    let events = untold
    untold = []
    for event in events where !isClosed { delegate?.page(self, did: event.withoutCredentials) }
  }

  func afterThisTurn(_ body: @escaping @PageActor (WebKitPage) -> Void) {
    Task { @PageActor [weak self] in
      if let self { body(self) }
    }
  }

  func stateChanged() {
    guard isReady else { return }
    if callDepth > 0, untold.contains(.stateChanged) { return }
    tell([.stateChanged])
  }

  func titleChanged(_ newTitle: String?) {
    let newTitle = newTitle?.isEmpty == true ? nil : newTitle
    guard isReady, title != newTitle else { return }
    title = newTitle
    stateChanged()
  }

  private func connectStateSignals() {
    onPage(view, "notify::title") { [weak self] (_: OpaquePointer) in
      guard let self else { return }
      self.titleChanged(string(webkit_web_view_get_title(self.view)))
    }
    onPage(view, "notify::estimated-load-progress") { [weak self] (_: OpaquePointer) in
      self?.stateChanged()
    }
    onPage(view, "insecure-content-detected") { [weak self] (_: OpaquePointer, _: UInt32) in
      self?.hasInsecureContent = true
      self?.stateChanged()
    }
    onPage(view, "web-process-terminated") { [weak self] (_: OpaquePointer, reason: UInt32) in
      self?.webProcessTerminated(reason)
    }
  }

  func documentCommitted() {
    hasInsecureContent = false
    documentNumber += 1
    runtimeWorlds = []
  }

  // MARK: Process

  /// Marks what makes WebKit start a process where there is none.
  func startingProcess(_ body: () -> Void) {
    body()
    phase.processStarted()
  }

  private func webProcessTerminated(_ reason: UInt32) {
    guard let end = phase.processEnded() else { return }
    endKeptProcesses()
    networkActivity.processEnded(now: .now)
    runtimeWorlds = []
    title = nil
    switch end {
    case .unseen(let held): release(held)
    case .seen:
      endPreparation()
      entryCame()
      let cause: ProcessTerminationReason =
        switch WebKitWebProcessTerminationReason(rawValue: reason) {
        case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: .memory
        case WEBKIT_WEB_PROCESS_TERMINATED_BY_API: .requested
        default: .crashed
        }
      tell(tracker.processTerminated(cause))
    }
  }

  func terminateWebProcess() {
    guard !isClosed else { return }
    calling { webkit_web_view_terminate_web_process(view) }
  }

  func close() {
    guard let refused = phase.close() else { return }
    delegate = nil
    untold = []
    endPreparation()
    dropPolicies()
    // Ends a hung process too, which the closing of its last page would leave for seconds.
    webkit_web_view_terminate_web_process(view)
    window.destroy()
    release(refused)
    // WebKit's own way out was taken; whatever still stands after it is killed.
    _ = engine.timers.after(Self.closingGrace) { [processes] in
      for process in processes.ofPages { process.kill() }
    }
  }

  // MARK: The blank document

  /// A page has a process and a document from the start; no event tells of it.
  private func loadBlank() {
    startingProcess { webkit_web_view_load_html(view, "", nil) }
    _ = engine.timers.after(Self.blankDeadline) { [weak self] in self?.becomeReady() }
  }

  func becomeReady() { release(phase.opened()) }

  private func release(_ held: [@PageActor (WebKitPage) -> Void]) {
    for body in held { body(self) }
  }

  /// Begins a load now, or when the page can take it; the newest one counts.
  func whenReady(_ load: @escaping @PageActor (WebKitPage) -> Void) {
    if !phase.hold(load: load) { load(self) }
  }

  /// Calls into the document now, or when the blank one is there.
  func withDocument(_ call: @escaping @PageActor (WebKitPage) -> Void) {
    if !phase.hold(call: call) { call(self) }
  }

  func dropHeldLoad() { phase.dropLoad() }
}
