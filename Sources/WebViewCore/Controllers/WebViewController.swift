import Foundation

/// One web view as clients know it: the seed's WebViewController.
///
/// Every operation of a disposed controller throws `disposed`; every operation that needs the page's process
/// after it ended throws `webContentProcessTerminated` until the next load. Waits end at the deadline with
/// `timeout`, and at once when the task is cancelled.
@PageActor
public final class WebViewController {
  public nonisolated let id: ControllerID
  public nonisolated let label: String?
  public nonisolated let createdAt: Date
  /// What was supplied; `ephemeral` is always set.
  public nonisolated let options: ControllerOptions
  public nonisolated let node: String?

  enum Life {
    case alive
    case processEnded(ProcessTerminationReason)
    /// As it was at its end.
    case disposed(WebViewState)
  }

  struct HeldLoad {
    let id: NavigationID
    /// The engine has it, but did not start it.
    let isIssued: Bool
    var answers = 0
    let begin: @PageActor () -> Void
  }

  let page: any EnginePage
  let store: any EngineStore
  let context: ControllerContext

  private(set) var life = Life.alive
  var navigations: NavigationMachine
  var loadWaiters = LoadWaiters()
  /// What resumes a load waiter.
  var loadResumptions: [LoadWaiters.ID: @PageActor (Result<NavigationID?, any Error>) -> Void] = [:]
  var pending = PendingEvaluations()
  /// What was decided before its waiter was suspended.
  var decidedLoads: [LoadWaiters.ID: NavigationID?] = [:]
  let loadWaits: Waits<LoadWaiters.ID>
  let callWaits: Waits<PendingEvaluations.ID>
  var responsiveness = Responsiveness()
  /// A load that waits until it is known whether the process still answers.
  var heldLoad: HeldLoad?
  /// Until the engine starts the load that it was given.
  var startWatch: Timers.ID?
  /// The load that was begun last, and how it is begun once more without being sent twice: after so many redirects.
  var repeatable: (id: NavigationID, redirects: Int, begin: @PageActor () -> Void)?
  /// For which a process was ended: once for each load.
  var insistedOn: NavigationID?
  /// Of the running load, where its request has one.
  var timeLimit: (id: NavigationID, timer: Timers.ID)?
  /// Until the document that is there no longer redirects by itself.
  var redirectTimer: Timers.ID?
  /// Why we ended the process, until the engine tells that it ended.
  var ownTermination: ProcessTerminationReason?
  /// The document's content where we gave it, for reloads; and that of the running load.
  var documentContent: LoadContent?
  var loadingContent: (id: NavigationID, content: LoadContent)?
  /// A document was committed in the present process.
  var hasDocument = false
  var documentNavigation: NavigationID?
  var documentResponse: MainResourceResponse?
  var handlers: [MessageHandlerRegistration] = []
  /// Open questions of the page.
  var questions: [CallbackID: MessageHandlerRegistration] = [:]
  var isHistoryChangeDue = false
  var toldHistory = ToldHistory()
  private var isStateChangeDue = false
  private var lastToldState = WebViewState()
  private var uses = 0
  private var lastUse = ContinuousClock.now

  init(
    id: ControllerID, node: String?, options: ControllerOptions, page: any EnginePage, store: any EngineStore,
    context: ControllerContext
  ) {
    self.id = id
    self.node = node
    self.label = options.label
    self.createdAt = Date()
    self.options = options
    self.page = page
    self.store = store
    self.context = context
    navigations = NavigationMachine(limit: context.limits.navigations)
    loadWaits = Waits(timers: context.timers)
    callWaits = Waits(timers: context.timers)
    page.delegate = self
  }

  // MARK: State

  public var state: WebViewState {
    if case .disposed(let last) = life { return last }
    var state = WebViewState()
    // Before the first load nothing is told of the blank page that the view starts with.
    guard !navigations.records.isEmpty else { return state }
    state.url = page.url
    state.title = page.title
    state.isLoading = navigations.running != nil
    state.estimatedProgress = min(1, max(0, page.estimatedProgress))
    state.canNavigateBack = page.canGoBack
    state.canNavigateForward = page.canGoForward
    state.hasOnlySecureContent = hasOnlySecureContent
    return state
  }

  public var isDisposed: Bool { if case .disposed = life { true } else { false } }
  public var processIdentifier: Int32? { isDisposed ? nil : page.processIdentifier }

  func requireLife() throws(ServiceError) {
    if isDisposed { throw ControllerService.disposed(id) }
  }

  func requireProcess() throws(ServiceError) {
    try requireLife()
    if case .processEnded(let reason) = life { throw Self.terminated(reason) }
  }

  nonisolated static func terminated(_ reason: ProcessTerminationReason) -> ServiceError {
    ServiceError(
      .webContentProcessTerminated, "The page's process ended; load something to go on.",
      details: ["reason": .string(reason.rawValue)])
  }

  // MARK: Events

  func publish(
    _ type: EventType, navigation: NavigationID? = nil, error: LoadError? = nil, details: JSONObject = [:]
  ) {
    var state: WebViewState?
    if type.carriesState {
      let now = self.state
      state = now
      lastToldState = now
    }
    let event = ControllerEvent(type, navigationID: navigation, state: state, error: error, details: details)
    context.events.publish(event, of: id)
  }

  /// One event for all that changes in one turn of the loop.
  func noteStateChange() {
    guard !isStateChangeDue else { return }
    isStateChangeDue = true
    Task { self.flushStateChange() }
  }

  /// Also before an operation answers: what happened before it is told before it.
  func flushStateChange() {
    guard isStateChangeDue else { return }
    isStateChangeDue = false
    flushHistoryChange()
    guard !isDisposed, state != lastToldState else { return }
    publish(.stateChange, navigation: navigations.running ?? documentNavigation)
  }

  // MARK: Life

  func revive() { if case .processEnded = life { life = .alive } }

  /// The process is gone; `spared` is a load that waits for the next one.
  func processEnded(_ told: ProcessTerminationReason) {
    guard case .alive = life else { return }
    let reason = ownTermination ?? told
    ownTermination = nil
    responsiveness.reset()
    hasDocument = false
    let spared = heldLoad?.id
    if let running = navigations.running, navigations.milestone(running) == .begun {
      documentContent = loadingContent.flatMap { $0.id == running ? $0.content : nil }
    }
    let steps = navigations.processTerminated(sparing: spared, now: Date())
    if spared == nil { life = .processEnded(reason) }
    publish(.webContentProcessTerminated, details: ["reason": .string(reason.rawValue)])
    perform(steps)
    cancelQuestions(reason: "The page's process ended.")
    for id in pending.processEnded() { callWaits.fail(id, Self.terminated(reason)) }
    // Not within the engine's own call.
    if spared != nil { Task { self.releaseHeldLoad(isProcessNew: true) } }
  }

  /// At once, and nothing is told after it.
  func dispose() {
    guard !isDisposed else { return }
    flushStateChange()
    heldLoad = nil
    cancelQuestions(reason: "The controller was disposed.")
    perform(navigations.dispose(now: Date()))
    var last = state
    last.isDisposed = true
    last.isLoading = false
    life = .disposed(last)
    publish(.disposed)
    context.callbacks.endPolls(of: id)
    for id in loadWaiters.dispose() { resumeLoadWaiter(id, nil) }
    for id in pending.dispose() { callWaits.fail(id, ControllerService.disposed(self.id)) }
    page.delegate = nil
    page.close()
  }

  // MARK: Use

  /// Seconds since the last operation or channel use.
  public var idleTime: Double {
    uses > 0 ? 0 : lastUse.duration(to: .now) / .seconds(1)
  }
  /// An open channel or running operation is use: idle time counts from the last `endUse`.
  public func beginUse() { uses += 1 }
  public func endUse() {
    uses = max(0, uses - 1)
    lastUse = .now
  }
}

/// What all controllers share.
struct ControllerContext {
  let engine: any WebEngine
  let events: EventService
  let callbacks: CallbackBroker
  let limits: Limits
  let files: FilesDirectory?
  let timers: Timers
  let background: BackgroundWork
}

extension WebViewController: EnginePageDelegate {
  public func page(_ page: any EnginePage, did event: EnginePageEvent) {
    guard !isDisposed else { return }
    switch event {
    case .stateChanged: noteStateChange()
    case .historyChanged: noteHistoryChange()
    case .processTerminated(.requested) where ownTermination == nil:
      // Only we request it, and this end was acted upon when the engine had not told of it in time.
      break
    case .processTerminated(let reason): processEnded(reason)
    case .handedOver(let content): handOver(content)
    case .overtaken(_, isStubborn: true) where endStubbornPage(): noteStateChange()
    default:
      // The engine does not have the held load: what it tells is of the one before, which is over.
      guard heldLoad?.isIssued != false else {
        switch event {
        case .committed, .documentReplaced: perform([.documentReplaced])
        default: break
        }
        return noteStateChange()
      }
      perform(navigations.event(event, now: Date()))
      switch event {
      case .sameDocumentNavigation: noteStateChange()
      case .restarted: watchRestart()
      default: break
      }
    }
  }
}
