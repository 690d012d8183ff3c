/// One web view with its process.
///
/// Events reach the delegate synchronously, on the actor, in the order in which the engine tells them.
/// Completions are called at most once, perhaps never, perhaps late: whoever passes one settles by itself.
@PageActor
public protocol EnginePage: AnyObject, Sendable {
  var delegate: (any EnginePageDelegate)? { get set }

  // MARK: State, as the engine has it now
  var url: String? { get }
  var title: String? { get }
  var isLoading: Bool { get }
  var estimatedProgress: Double { get }
  var canGoBack: Bool { get }
  var canGoForward: Bool { get }
  /// False for content of ours, however it was fetched.
  var hasOnlySecureContent: Bool { get }
  /// The current document, which is secure itself, uses something that is not.
  var hasInsecureContent: Bool { get }
  /// Of the web process, nil when there is none.
  var processIdentifier: Int32? { get }

  // MARK: Settings
  var settings: WebViewSettings { get }
  /// All values are valid. Returns when they are in force; the viewport when the view has that size.
  func apply(_ patch: SettingsPatch) async

  // MARK: Navigation
  func load(_ content: LoadContent)
  /// - Parameter fromOrigin: no cache on the way answers in the site's place.
  func reload(fromOrigin: Bool)
  func stopLoading()
  /// Begins the last load, reload or step once more, if it did not start.
  func loadAgain()
  /// False when there is no such entry.
  func goBack() -> Bool
  func goForward() -> Bool
  func go(to item: HistoryItemID) -> Bool
  /// Empty before the first load. Content of ours is no entry.
  var backForwardList: BackForwardList { get }

  // MARK: Waiting
  /// Looks into the main frame's current document. The completion may never come after a navigation.
  func find(
    _ state: ElementState, _ selector: String,
    completion: @escaping @PageActor (Result<ElementAnswer, EvaluationFailure>) -> Void)
  /// Calls back when the document's scripts did what they do right after its load, and what it navigates to by
  /// them has started; with the `content` of the document's `Refresh` elements.
  func settle(completion: @escaping @PageActor (Result<[String], EvaluationFailure>) -> Void)
  /// For how long nothing has been asked of the network; nil while something is under way.
  var networkQuiet: Duration? { get }
  /// Of the current document; nil when it did not come over TLS.
  var serverTrust: ServerTrust? { get }

  // MARK: Scripts
  /// The main frame's current document. The completion may never come after a navigation.
  func evaluate(
    _ call: JavaScriptCall,
    completion: @escaping @PageActor (Result<JavaScriptResult, EvaluationFailure>) -> Void)
  /// nil when there is no document. The engine's serialization, doctype included.
  func html(completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void)
  /// The bytes that the document was made of, as far as they have come.
  func mainResourceData(completion: @escaping @PageActor (Result<[UInt8], EvaluationFailure>) -> Void)
  /// Calls back when the page's process runs code; a hung one never does.
  func probe(completion: @escaping @PageActor () -> Void)

  // MARK: Messages
  /// False when one of that name and world exists.
  func addMessageHandler(_ handler: MessageHandlerRegistration) -> Bool
  func removeMessageHandler(name: String, contentWorld: ContentWorld)

  // MARK: Capture
  func snapshot(
    _ request: SnapshotRequest,
    completion: @escaping @PageActor (Result<any EngineImage, ServiceError>) -> Void)

  // MARK: Life
  /// Ends the web process at once, also a hung one. The delegate hears of it as `.requested`.
  func terminateWebProcess()
  /// Ends the page at once, without beforeunload. Nothing is told after it.
  func close()
}

public enum EvaluationFailure: Error, Sendable, Equatable {
  case exception(JavaScriptException)
  /// `path` is a JSON Pointer to the value that the mode cannot carry.
  case notSerializable(path: String, reason: String)
  case tooLarge(size: Int, limit: Int)
  /// Another document is there now.
  case documentReplaced
  /// No process, or it went away during the call.
  case processTerminated
  /// The engine's own refusal, for example JavaScript switched off.
  case engine(String)
}

public enum ElementAnswer: Sendable { case yes, no, notASelector }

/// Pixels that can be encoded anywhere.
public protocol EngineImage: Sendable {
  var width: Int { get }
  var height: Int { get }
  /// Takes time: never on an actor of a loop.
  func encodePNG() throws -> [UInt8]
}

/// What an engine page tells.
public enum EnginePageEvent: Sendable, Equatable {
  /// A navigation of the main frame is about to start: asked for by a load of ours, or by the page itself.
  /// - Parameter isUserInitiated: by a person's act in the page, or by a script that a client ran.
  case willNavigate(url: String, isRedirect: Bool, isUserInitiated: Bool = false)
  /// The provisional load started.
  case started(url: String)
  case redirected(url: String, status: Int?, from: String)
  /// The main resource's response arrived.
  case responded(MainResourceResponse)
  /// What began was fetched, and the engine is given this to show, which starts once more: content, which was fetched
  /// for once and is what a reload shows again, or a request that changes nothing for the site.
  case handedOver(LoadContent)
  case committed(url: String)
  case domContentLoaded
  case finished(url: String)
  case failed(LoadError, url: String)
  /// A navigation of the page's own took the place of what ran; what is told of that one follows.
  /// - Parameter isStubborn: it does so as often as the load is begun, which changes nothing for the site: only
  ///   the end of the process ends it.
  case overtaken(url: String, isStubborn: Bool = false)
  /// A load of ours begins once more, since the page took its place: with another start, and without what was told
  /// since the last one, of which so many were redirects.
  case restarted(redirects: Int)
  /// The response became a download, or was refused, before a document took the old one's place.
  case responseRefused(LoadError, url: String)
  /// A fragment or history.pushState changed the URL within the document.
  case sameDocumentNavigation(url: String)
  /// Some part of the state changed: url, title, progress, history…
  case stateChanged
  /// Entries of the history came or went, or another one is current.
  case historyChanged
  case processTerminated(ProcessTerminationReason)
  /// Another document is there, of a navigation that was superseded or stopped: nobody hears of it otherwise.
  case documentReplaced
}

public enum ProcessTerminationReason: String, Sendable { case crashed, memory, deadline, requested }

@PageActor
public protocol EnginePageDelegate: AnyObject {
  func page(_ page: any EnginePage, did event: EnginePageEvent)
  /// `reply` is called once by the receiver, perhaps after the document is gone, which is harmless.
  func page(
    _ page: any EnginePage, didReceive message: ScriptMessage,
    reply: @escaping @PageActor (ScriptMessageReply) -> Void)
}
