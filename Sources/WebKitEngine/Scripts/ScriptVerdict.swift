import WebViewCore

/// The result of a call and the verdict on its code, of which either may come first.
@PageActor
final class ScriptVerdict {
  private enum State {
    case open
    case right
    case ran(Result<JavaScriptResult, EvaluationFailure>)
    case over
  }
  private var state = State.open
  private let completion: WebKitPage.Evaluated

  init(_ completion: @escaping WebKitPage.Evaluated) { self.completion = completion }

  func checked(_ failure: JavaScriptException?) {
    switch (state, failure) {
    case (.open, nil): state = .right
    case (.open, let failure?): finish(.failure(.exception(failure)))
    case (.ran(let result), nil): finish(result)
    case (.ran, let failure?): finish(.failure(.exception(failure)))
    case (.right, _), (.over, _): break
    }
  }

  func ran(_ result: Result<JavaScriptResult, EvaluationFailure>) {
    switch state {
    case .open: state = .ran(result)
    case .right: finish(result)
    case .ran, .over: break
    }
  }

  private func finish(_ result: Result<JavaScriptResult, EvaluationFailure>) {
    state = .over
    completion(result)
  }
}
