import WebViewCore

/// Whether a script opened the document that is there anew, which ends what loads and of which WebKit tells nothing.
/// `document.open()` takes every listener from the document, those of the engine's own world as well: one is there
/// to answer as long as it is left.
enum ReopenedDocument {
  private static let name = PageRuntime.key + "o"
  private static let yes = "yes"

  private static let listen =
    "EventTarget.prototype.addEventListener.call(document,\"\(name)\",event=>event.preventDefault())"

  /// For the start of the document, as which WebKit takes what is written after an opening, too.
  static let start = """
    if(!Object.hasOwn(globalThis,"\(name)")){Object.defineProperty(globalThis,"\(name)",{value:true});\(listen)}
    """

  private static let question = """
    (()=>{
    const asked=new Event("\(name)",{cancelable:true});
    EventTarget.prototype.dispatchEvent.call(document,asked);
    if(asked.defaultPrevented)return"no";
    \(listen);
    return"\(yes)"})()
    """

  /// Each tells of each opening once.
  static let now = PageScript.program(question)
  static let soon = PageScript(
    text: "await new Promise(done=>setTimeout(done,50));return \(question)",
    form: .asyncFunction(argument: nil))

  /// What a load that begins now is not ended by.
  @PageActor
  static func forgetOpening(of page: WebKitPage) {
    if page.tracker.documentURL != nil, page.canRunScripts { page.askDocument(now) { _ in } }
  }

  static func isOpened(_ answer: Result<String?, EvaluationFailure>) -> Bool {
    if case .success(yes) = answer { true } else { false }
  }
}

extension WebKitPage {
  private static let patienceWithQuestion = Duration.seconds(2)

  /// Whether the page opens its document anew again and again, so that nothing has its turn that loads.
  func keepsOpeningItsDocument() async -> Bool {
    guard canRunScripts, await wasOpened(ReopenedDocument.now) else { return false }
    return await wasOpened(ReopenedDocument.soon)
  }

  private func wasOpened(_ question: PageScript) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingOldest(1))
    askDocument(question) { answer.yield(ReopenedDocument.isOpened($0)) }
    let deadline = engine.timers.after(Self.patienceWithQuestion) { answer.yield(false) }
    defer { engine.timers.cancel(deadline) }
    for await isOpened in answers { return isOpened }
    return false
  }
}
