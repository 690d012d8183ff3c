import WebViewCore

/// A page whose engine is the test: it records commands and tells what it is made to tell.
@PageActor
public final class FakePage: EnginePage {
  public enum Command: Sendable, Equatable {
    case load(LoadContent)
    case reload(fromOrigin: Bool)
    case stop, again, back, forward, terminate, close
    case goTo(HistoryItemID)
    case evaluate(JavaScriptCall)
    case html, probe, settle, mainResourceData
    case find(ElementState, String)
    case snapshot(SnapshotRequest)
    case addHandler(String)
    case removeHandler(String)
  }
  public weak var delegate: (any EnginePageDelegate)?

  public var url: String?
  public var title: String?
  public var isLoading = false
  public var estimatedProgress: Double = 0
  public var canGoBack = false
  public var canGoForward = false
  public var backForwardList = BackForwardList()
  public var hasOnlySecureContent = false
  public var hasInsecureContent = false
  public var processIdentifier: Int32?
  public private(set) var settings: WebViewSettings

  public private(set) var commands: [Command] = []
  /// Loads end by themselves, with these events after each.
  public var script: [EnginePageEvent]?
  /// Answers evaluations at once; nil: they stay open until `answerEvaluations`.
  public var evaluation: Result<JavaScriptResult, EvaluationFailure>?
  public var document: String? = "<html></html>"
  /// nil: the question stays open.
  public var mainResource: Result<[UInt8], EvaluationFailure>? = .success([])
  public var answersProbes = true
  /// What there is of the elements that are looked for.
  public var elements: @PageActor (ElementState, String) -> ElementAnswer = { state, _ in
    state == .hidden ? .yes : .no
  }
  /// What the document says of refreshing itself; nil: it never comes to rest.
  public var refreshes: [String]? = []
  public var networkQuiet: Duration? = .zero
  public var serverTrust: ServerTrust?
  public var image: Result<FakeImage, ServiceError>? = .success(FakeImage(width: 1280, height: 800))
  /// The engine tells of a terminated process.
  public var tellsTermination = true
  public var takesHandlers = true
  /// Settings never come into force.
  public var hangsApplying = false
  /// Happens before settings are in force.
  public var whileApplying: (@PageActor () -> Void)?
  private var evaluations: [@PageActor (Result<JavaScriptResult, EvaluationFailure>) -> Void] = []
  private var documents: [@PageActor (Result<String?, EvaluationFailure>) -> Void] = []
  private var probes: [@PageActor () -> Void] = []
  private var expectations: [(matches: (Command) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
    []

  public init(viewport: Viewport) {
    settings = WebViewSettings()
    settings.viewport = viewport
  }

  // MARK: What the test does

  public func tell(_ events: EnginePageEvent...) { tell(events) }
  public func tell(_ events: [EnginePageEvent]) {
    for event in events {
      switch event {
      case .committed(let url), .sameDocumentNavigation(let url): self.url = url
      case .processTerminated: title = nil
      default: break
      }
      delegate?.page(self, did: event)
    }
  }

  public func post(_ message: ScriptMessage, reply: @escaping @PageActor (ScriptMessageReply) -> Void) {
    delegate?.page(self, didReceive: message, reply: reply)
  }

  public func answerEvaluations(_ result: Result<JavaScriptResult, EvaluationFailure>) {
    let open = evaluations
    evaluations = []
    for completion in open { completion(result) }
  }

  public func answerHTML(_ result: Result<String?, EvaluationFailure>) {
    let open = documents
    documents = []
    for completion in open { completion(result) }
  }

  public func answerProbes() {
    let open = probes
    probes = []
    for completion in open { completion() }
  }

  /// Returns when the command was given, also if that was before.
  public func gets(_ matches: @escaping @Sendable (Command) -> Bool) async {
    if commands.contains(where: matches) { return }
    await withCheckedContinuation { expectations.append((matches, $0)) }
  }

  public func forgetCommands() { commands = [] }

  private func note(_ command: Command) {
    commands.append(command)
    let met = expectations.filter { $0.matches(command) }
    expectations.removeAll { $0.matches(command) }
    for expectation in met { expectation.continuation.resume() }
  }

  // MARK: EnginePage

  public func apply(_ patch: SettingsPatch) async {
    whileApplying?()
    if hangsApplying { try? await Task.sleep(for: .seconds(3600)) }
    if let agent = patch.customUserAgent { settings.customUserAgent = agent }
    if let zoom = patch.pageZoom { settings.pageZoom = zoom }
    if let viewport = patch.viewport { settings.viewport = viewport }
  }

  public func load(_ content: LoadContent) {
    note(.load(content))
    // As the engine does: never within the call.
    if let script { Task { self.tell(script) } }
  }
  public func reload(fromOrigin: Bool) { note(.reload(fromOrigin: fromOrigin)) }
  public func stopLoading() { note(.stop) }
  public func loadAgain() { note(.again) }
  public func goBack() -> Bool {
    note(.back)
    return canGoBack
  }
  public func goForward() -> Bool {
    note(.forward)
    return canGoForward
  }
  public func go(to item: HistoryItemID) -> Bool {
    note(.goTo(item))
    return true
  }

  public func evaluate(
    _ call: JavaScriptCall,
    completion: @escaping @PageActor (Result<JavaScriptResult, EvaluationFailure>) -> Void
  ) {
    note(.evaluate(call))
    if let evaluation { completion(evaluation) } else { evaluations.append(completion) }
  }
  public func html(completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void) {
    note(.html)
    if let document { completion(.success(document)) } else { documents.append(completion) }
  }
  public func mainResourceData(
    completion: @escaping @PageActor (Result<[UInt8], EvaluationFailure>) -> Void
  ) {
    note(.mainResourceData)
    if let mainResource { completion(mainResource) }
  }
  public func probe(completion: @escaping @PageActor () -> Void) {
    note(.probe)
    if answersProbes { completion() } else { probes.append(completion) }
  }

  public func find(
    _ state: ElementState, _ selector: String,
    completion: @escaping @PageActor (Result<ElementAnswer, EvaluationFailure>) -> Void
  ) {
    note(.find(state, selector))
    completion(.success(elements(state, selector)))
  }
  public func settle(completion: @escaping @PageActor (Result<[String], EvaluationFailure>) -> Void) {
    note(.settle)
    if let refreshes { completion(.success(refreshes)) }
  }

  public func addMessageHandler(_ handler: MessageHandlerRegistration) -> Bool {
    note(.addHandler(handler.name))
    return takesHandlers
  }
  public func removeMessageHandler(name: String, contentWorld: ContentWorld) { note(.removeHandler(name)) }

  public func snapshot(
    _ request: SnapshotRequest,
    completion: @escaping @PageActor (Result<any EngineImage, ServiceError>) -> Void
  ) {
    note(.snapshot(request))
    if let image { completion(image.map { $0 }) }
  }

  public func terminateWebProcess() {
    note(.terminate)
    if tellsTermination { Task { self.tell(.processTerminated(.requested)) } }
  }
  public func close() { note(.close) }
}

/// A picture that is its size.
public struct FakeImage: EngineImage {
  public var width: Int
  public var height: Int
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
  public func encodePNG() throws -> [UInt8] { Array("PNG \(width)x\(height)".utf8) }
}
