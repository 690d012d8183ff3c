import HTTPModel
import WebViewCore

extension APIHandler {
  public func refuse(_ head: HTTPRequestHead, syntaxProblem: String) -> HTTPResponse {
    let frame = ResponseRendering.Frame(
      requestID: RequestID.of(head), isVersioned: true, origin: access.foreignOrigin(head))
    let error = ServiceError(.invalidArgument, syntaxProblem)
    return rendering.response(error, frame)
  }

  public var malformedAnswer: HTTPResponse {
    let head = HTTPRequestHead(method: .get, path: "")
    let frame = ResponseRendering.Frame(requestID: RequestID.of(head), isVersioned: true, origin: nil)
    return rendering.response(
      ServiceError(.invalidArgument, "This is no well-formed HTTP/1.1 request."), frame)
  }
}
