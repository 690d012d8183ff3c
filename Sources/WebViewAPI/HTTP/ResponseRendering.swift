import HTTPModel
import WebViewCore

/// Turns results and errors into HTTP, with the headers that every answer carries.
struct ResponseRendering: Sendable {
  let node: String?
  let resultLimit: Int

  /// What an answer owes to its request.
  struct Frame: Sendable {
    var requestID: String
    /// Under /v1: never stored by anyone.
    var isVersioned: Bool
    /// The foreign origin that may read it.
    var origin: String?
  }

  func response(_ result: OperationResult, _ frame: Frame) throws(ServiceError) -> HTTPResponse {
    var response = HTTPResponse(status: result.status, headers: result.headers)
    switch result.content {
    case .nothing: break
    case .json(let object):
      if let stream = JSONStream(object) {
        try check(stream.length)
        response.body = stream.body
      } else {
        response.body = .bytes(JSONWriter.write(.object(object)))
      }
      response.headers["Content-Type"] = "application/json"
    case .document(let bytes):
      response.body = .bytes(bytes)
      response.headers["Content-Type"] = "application/json"
    case .bytes(let bytes, let contentType, let origin):
      response.body = .bytes(bytes)
      response.headers["Content-Type"] = contentType
      // A frame or a tab must not run what a page made as this server's own document.
      if origin == .page {
        response.headers["Content-Security-Policy"] = "sandbox"
        response.headers["Content-Disposition"] = "attachment"
      }
    }
    if case .bytes(let bytes) = response.body { try check(bytes.count) }
    finish(&response, frame)
    return response
  }

  func check(_ size: Int) throws(ServiceError) {
    guard size > resultLimit else { return }
    throw .tooLarge("The result", size: size, limit: resultLimit)
  }

  func response(_ error: ServiceError, _ frame: Frame, allowed: [HTTPMethod]? = nil) -> HTTPResponse {
    let body: JSONObject = ["error": .object(ErrorJSON.error(error, requestID: frame.requestID))]
    var response = HTTPResponse(
      status: error.code.httpStatus, headers: ["Content-Type": "application/json"],
      body: .bytes(JSONWriter.write(.object(body))))
    switch error.code {
    case .unauthorized: response.headers["WWW-Authenticate"] = "Bearer"
    case .queueFull, .unavailable: response.headers["Retry-After"] = "1"
    default: break
    }
    if let allowed { response.headers["Allow"] = allowed.map(\.name).joined(separator: ", ") }
    finish(&response, frame)
    return response
  }

  func finish(_ response: inout HTTPResponse, _ frame: Frame) {
    response.headers.add("X-Request-Id", frame.requestID)
    if let node { response.headers.add("X-Node", node) }
    response.headers.add("X-Content-Type-Options", "nosniff")
    response.headers.add("Cross-Origin-Resource-Policy", "same-origin")
    if frame.isVersioned { response.headers.add("Cache-Control", "no-store") }
    if let origin = frame.origin {
      response.headers.add("Access-Control-Allow-Origin", origin)
      response.headers.add("Access-Control-Expose-Headers", AccessPolicy.exposed)
      response.headers.add("Vary", "Origin")
    }
  }
}
