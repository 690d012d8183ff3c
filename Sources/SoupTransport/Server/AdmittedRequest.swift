import HTTPModel

/// What a handler admitted, with its own type hidden.
protocol AdmittedRequest: Sendable {
  func respond(body: [UInt8]) async -> HTTPResponse
  func refuse(_ problem: HTTPBodyProblem) -> HTTPResponse
}

/// A handler's decision on a head, with the handler's own type hidden.
enum Decision {
  case refuse(HTTPResponse)
  case respond(any AdmittedRequest, bodyLimit: Int)
  case upgrade(UpgradeOffer)
}

/// A WebSocket to be opened once the handshake went out.
struct UpgradeOffer: Sendable {
  var protocolName: String?
  var maximumMessageBytes: Int
  var session: any WebSocketSession
}

private struct ErasedRequest<Handler: HTTPHandler>: AdmittedRequest {
  let handler: Handler
  let admitted: Handler.Admitted

  func respond(body: [UInt8]) async -> HTTPResponse { await handler.respond(to: admitted, body: body) }
  func refuse(_ problem: HTTPBodyProblem) -> HTTPResponse { handler.refuse(admitted, problem: problem) }
}

extension HTTPHandler {
  func decide(_ head: HTTPRequestHead) -> Decision {
    switch admit(head) {
    case .refuse(let response): .refuse(response)
    case .respond(let admitted, let limit):
      .respond(ErasedRequest(handler: self, admitted: admitted), bodyLimit: limit)
    case .upgrade(let name, let maximum, let session):
      .upgrade(UpgradeOffer(protocolName: name, maximumMessageBytes: maximum, session: session))
    }
  }
}
