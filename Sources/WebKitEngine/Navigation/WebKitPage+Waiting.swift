import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  func find(
    _ state: ElementState, _ selector: String,
    completion: @escaping @PageActor (Result<ElementAnswer, EvaluationFailure>) -> Void
  ) {
    let arguments = [state.rawValue, selector].map { JSONWriter.text(.string($0)) }.joined(separator: ",")
    askDocument(.program("(\(Self.search))(\(arguments))")) { answer in
      completion(
        answer.flatMap {
          switch $0 {
          case "yes": .success(.yes)
          case "no": .success(.no)
          case "bad": .success(.notASelector)
          default: .failure(.engine("The page's process answered something unknown."))
          }
        })
    }
  }

  /// Of the prototypes' own, which no element's name hides.
  private static let search = """
    (state,selector)=>{
    const box=Element.prototype.getBoundingClientRect;
    const isSeen=e=>{const b=box.call(e);return b.width>0&&b.height>0&&getComputedStyle(e).visibility==="visible"};
    let found=false;
    try{
    if(state==="\(ElementState.attached.rawValue)")return Document.prototype.querySelector.call(document,selector)?"yes":"no";
    for(const e of Document.prototype.querySelectorAll.call(document,selector))if(isSeen(e)){found=true;break}
    }catch(e){if(e instanceof DOMException)return"bad";throw e}
    return found===(state==="\(ElementState.visible.rawValue)")?"yes":"no"}
    """

  func settle(completion: @escaping @PageActor (Result<[String], EvaluationFailure>) -> Void) {
    askDocument(PageScript(text: Self.rest, form: .asyncFunction(argument: nil))) { [weak self] answer in
      let refreshes = answer.map { text in
        (text.flatMap { try? JSONText.decode([String].self, from: $0) }) ?? []
      }
      // Had what the page asked the policy for started, that is told before the answer to the next question but
      // one: of a form it asks once more, whether it may be sent.
      self?.probe { [weak self] in
        self?.probe { completion(refreshes) }
      }
    }
  }

  /// A script that leaves the document right after its load has asked for that by then.
  private static let rest = """
    for(let i=0;i<2;i++)await new Promise(done=>setTimeout(done));
    const found=Document.prototype.querySelectorAll.call(document,"meta[http-equiv=refresh i][content]");
    return JSON.stringify(Array.from(found,e=>Element.prototype.getAttribute.call(e,"content").slice(0,100)).slice(0,100))
    """

  /// A load came to nothing: the page may have gone to another place meanwhile, which the view did not show.
  func seeDocument() {
    guard isReady, webkit_web_view_is_loading(view) == 0 else { return }
    tracker.seeDocument(viewURL)
    askDocumentURL()
  }

  /// Where the view's address cannot be trusted to be the document's.
  func askDocumentURL() {
    guard tracker.document.isDoubted else { return }
    let number = documentNumber
    askDocument(.program("location.href")) { [weak self] answer in
      guard let self, !self.isClosed, self.documentNumber == number, case .success(let url?) = answer else {
        return
      }
      if self.tracker.document.told(url) { self.stateChanged() }
    }
  }

  /// In the world of the engine's own.
  func askDocument(
    _ script: PageScript, completion: @escaping @PageActor (Result<String?, EvaluationFailure>) -> Void
  ) {
    withDocument { page in
      guard page.canRunScripts else { return completion(.failure(.processTerminated)) }
      page.ask(script, world: Self.internalWorld, completion: completion)
    }
  }

  // MARK: Network

  var networkQuiet: Duration? { networkActivity.quiet(now: .now) }

  func noteRequest(_ resource: UnsafeMutablePointer<WebKitWebResource>) {
    networkActivity.began(NetworkActivity.Resource(resource))
    // Told after a failure, too.
    onPage(resource, "finished") { [weak self] (resource: OpaquePointer) in
      self?.networkActivity.ended(NetworkActivity.Resource(resource), now: .now)
    }
  }

  func noteCommit() {
    let main = webkit_web_view_get_main_resource(view).map { NetworkActivity.Resource($0) }
    networkActivity.documentCommitted(main: main, now: .now)
  }
}
