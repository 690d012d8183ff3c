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
    withoutRequest(ServiceError(.invalidArgument, "This is no well-formed HTTP/1.1 request."))
  }

  public var crowdedAnswer: HTTPResponse {
    withoutRequest(
      ServiceError(
        .unavailable, "Too many connections are open: keep fewer, or try again.",
        details: ["reason": "connections"]))
  }

  private func withoutRequest(_ error: ServiceError) -> HTTPResponse {
    let head = HTTPRequestHead(method: .get, path: "")
    let frame = ResponseRendering.Frame(requestID: RequestID.of(head), isVersioned: true, origin: nil)
    return rendering.response(error, frame)
  }
}
