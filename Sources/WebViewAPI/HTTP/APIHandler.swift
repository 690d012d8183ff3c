import HTTPModel
import Synchronization
import WebViewCore

/// The whole contract as an HTTP handler: request id, access, route, body rules, operation, answer, in this order.
public final class APIHandler: HTTPHandler {
  public struct Admitted: Sendable {
    let operation: Operation
    let parameters: [String: String]
    let head: HTTPRequestHead
    let frame: ResponseRendering.Frame
    /// nil: a body may come whose type was not told.
    let bodyKind: RequestBodyKind?
  }

  let services: ServerServices
  let access: AccessPolicy
  let documents: APIDocuments
  let log: APILog
  let rendering: ResponseRendering
  let channels: ChannelRegistry
  private let router: Router<Operation>
  private let clock: any Clock<Duration>

  public init(
    services: ServerServices, access: AccessPolicy, documents: APIDocuments, log: APILog = APILog(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.services = services
    self.access = access
    self.documents = documents
    self.log = log
    self.clock = clock
    rendering = ResponseRendering(node: services.server.node, resultLimit: services.limits.result)
    channels = ChannelRegistry()
    router = Router(OperationTable.all.map { ($0.method, $0.path, $0) })
  }

  /// Ends every channel with 1001: the server stops.
  public func closeChannels() { channels.closeAll(code: 1001, reason: "the server is stopping") }

  // MARK: Before the body

  public func admit(_ head: HTTPRequestHead) -> HTTPAdmission<Admitted> {
    let isVersioned = head.path.hasPrefix("/v1/")
    let frame = ResponseRendering.Frame(
      requestID: RequestID.of(head), isVersioned: isVersioned, origin: access.foreignOrigin(head))
    let routed = router.route(method: head.method, path: head.path)
    var operation: Operation?
    if case .match(let match) = routed { operation = match.value }
    do throws(ServiceError) {
      if access.isPreflight(head) {
        try access.check(head, [.host])
        return .refuse(try preflight(head, routed, frame))
      }
      if let operation, operation.kind == .upgrade, case .match(let match) = routed {
        return try upgrade(head, match, frame)
      }
      try access.check(head, demand(of: operation, head))
      switch routed {
      case .noRoute: throw Self.noRoute
      case .options(let allowed):
        var response = HTTPResponse(status: 204, headers: ["Allow": Self.list(allowed)])
        rendering.finish(&response, frame)
        return .refuse(response)
      case .wrongMethod(let allowed):
        let error = ServiceError(
          .methodNotAllowed, "`\(head.method)` is not offered here: use \(Self.list(allowed)).",
          details: ["allowed": .array(allowed.map { .string($0.name) })])
        return .refuse(rendering.response(error, frame, allowed: allowed))
      case .match(let match):
        let kind = try bodyKind(head, match.value)
        if isVersioned, !match.value.isAlwaysOffered { try requireReady() }
        return .respond(
          Admitted(
            operation: match.value, parameters: match.parameters, head: head, frame: frame, bodyKind: kind),
          bodyLimit: services.limits.requestBody)
      }
    } catch {
      return .refuse(rendering.response(error, frame))
    }
  }

  private static let noRoute = ServiceError(
    .notFound, "There is no such path. Paths are case-sensitive and have no trailing slash.",
    details: ["kind": "route"])

  private static func list(_ methods: [HTTPMethod]) -> String { methods.map(\.name).joined(separator: ", ") }

  private func requireReady() throws(ServiceError) {
    try OperationContext(services: services, documents: documents, requestID: "").requireReady()
  }

  private func demand(of operation: Operation?, _ head: HTTPRequestHead) -> AccessPolicy.Demand {
    if operation?.kind == .probe { return [] }
    return head.path.hasPrefix("/v1/") || head.path == "/v1" || head.path == "/metrics"
      ? [.token, .host, .sameSite] : [.token, .host]
  }

  private func preflight(
    _ head: HTTPRequestHead, _ routed: Router<Operation>.Result, _ frame: ResponseRendering.Frame
  ) throws(ServiceError) -> HTTPResponse {
    guard case .options(let allowed) = routed else { throw Self.noRoute }
    var response = HTTPResponse(status: 204, headers: access.preflight(head, allowed: allowed))
    response.headers["Allow"] = Self.list(allowed)
    rendering.finish(&response, frame)
    return response
  }

  /// nil when only the body will tell whether there is one.
  private func bodyKind(_ head: HTTPRequestHead, _ operation: Operation) throws(ServiceError)
    -> RequestBodyKind?
  {
    let isChunked = head.headers["Transfer-Encoding"] != nil
    let length = head.headers["Content-Length"].map { Int($0) ?? 0 } ?? 0
    guard isChunked || length > 0 else {
      // An empty body needs no type; one of a named type is empty data.
      if let raw = operation.rawBody,
        head.headers["Content-Type"]?.lowercased().hasPrefix(raw.contentType) == true
      {
        return .raw(raw)
      }
      return RequestBodyKind.none
    }
    guard operation.takesBody else {
      throw ServiceError(
        .invalidArgument, "`\(head.method)` takes no body here: its members stand in the query.",
        details: ["header": isChunked ? "Transfer-Encoding" : "Content-Length"])
    }
    if length > services.limits.requestBody {
      throw ServiceError(
        .payloadTooLarge, "The body has \(length) bytes, \(services.limits.requestBody) are the limit.",
        details: ["limit": JSONValue(services.limits.requestBody), "size": JSONValue(length)])
    }
    // A chunked body may still turn out to be empty, and then needs no type.
    if isChunked, head.headers["Content-Type"] == nil { return nil }
    return try RequestBodyKind.of(head.headers["Content-Type"], for: operation)
  }

  // MARK: With the body

  public func respond(to admitted: Admitted, body: [UInt8]) async -> HTTPResponse {
    let response: HTTPResponse
    do {
      let (prepared, frame) = (try await prepare(admitted, body), admitted.frame)
      switch prepared {
      case .done(let result): response = try rendering.response(result, frame)
      case .page(let run):
        let pending = try await PreparedOperation.run(run)
        try rendering.check(pending.roughSize)
        let rendering = rendering
        response = try await OffLoop.run(size: pending.roughSize) {
          try rendering.response(try pending.encode(), frame)
        }
      }
    } catch {
      response = rendering.response(
        publish(error, admitted.frame.requestID, admitted.operation.id), admitted.frame)
    }
    return response
  }

  private func prepare(_ admitted: Admitted, _ body: [UInt8]) async throws -> PreparedOperation {
    let context = OperationContext(
      services: services, documents: documents, requestID: admitted.frame.requestID)
    return try await OffLoop.run(size: body.count) {
      var input = try Self.input(admitted, body)
      return try admitted.operation.prepare(&input, context)
    }
  }

  private static func input(_ admitted: Admitted, _ body: [UInt8]) throws(ServiceError) -> OperationInput {
    guard !body.isEmpty else {
      // A body of a named type stays what it is when it is empty.
      if case .raw(let raw) = admitted.bodyKind {
        return try OperationInput(
          path: admitted.parameters, query: admitted.head.query, raw: (raw.member, []))
      }
      return try OperationInput(path: admitted.parameters, query: admitted.head.query)
    }
    let kind: RequestBodyKind
    if let known = admitted.bodyKind { kind = known } else { kind = try .of(nil, for: admitted.operation) }
    if case .raw(let raw) = kind {
      return try OperationInput(
        path: admitted.parameters, query: admitted.head.query, raw: (raw.member, body))
    }
    return try OperationInput(
      path: admitted.parameters, query: admitted.head.query, body: try object(body))
  }

  private static func object(_ body: [UInt8]) throws(ServiceError) -> JSONObject {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONParser.parse(body) } catch {
      throw ServiceError(
        .invalidArgument, error.description,
        details: ["pointer": .string(error.pointer), "offset": JSONValue(error.offset)])
    }
    guard case .object(let object) = value else {
      throw ServiceError(
        .invalidArgument, "The body must be a JSON object, not \(InputError.kind(of: value)).",
        details: ["pointer": ""])
    }
    return object
  }

  public func refuse(_ admitted: Admitted, problem: HTTPBodyProblem) -> HTTPResponse {
    let error: ServiceError
    switch problem {
    case .tooLarge(let limit):
      error = ServiceError(
        .payloadTooLarge, "The body is larger than the limit of \(limit) bytes.",
        details: ["limit": JSONValue(limit)])
    case .malformedEncoding:
      error = ServiceError(
        .invalidArgument, "The body is not what its Content-Encoding says.",
        details: ["header": "Content-Encoding"])
    case .unsupportedEncoding(let name):
      error = ServiceError(
        .unsupportedMediaType, "The Content-Encoding `\(name.prefix(40))` is not taken: send gzip or none.",
        details: ["supported": ["gzip"]])
    case .tooSlow:
      error = ServiceError(.timeout, "The body did not arrive in time.")
    case .malformedFraming:
      error = ServiceError(
        .invalidArgument, "The body is not in well-formed chunks.", details: ["header": "Transfer-Encoding"])
    }
    return rendering.response(error, admitted.frame)
  }

  // MARK: Telling

  func publish(_ error: any Error, _ requestID: String, _ operationID: String) -> ServiceError {
    let form = ServiceError.publicForm(of: error)
    if let fault = form.fault {
      log.fault(.init(requestID: requestID, operationID: operationID, description: fault))
    }
    return form.error
  }

  // MARK: Upgrades

  private func upgrade(
    _ head: HTTPRequestHead, _ match: Router<Operation>.Match, _ frame: ResponseRendering.Frame
  ) throws(ServiceError) -> HTTPAdmission<Admitted> {
    let controllerID = match.parameters["controllerId"].map { ControllerID(text: $0) }
    let ticket = try ChannelUpgrade.ticket(head)
    let hasTicket = ticket != nil && head.headers["Authorization"] == nil
    try access.check(head, hasTicket ? [.host, .sameSite] : [.token, .host, .sameSite])
    let protocolName = try ChannelUpgrade.protocolName(head)
    try requireReady()
    if let controllerID { try services.controllers.requireLife(of: controllerID) }
    // Last: a ticket is not used up by an upgrade that is refused for another reason.
    if hasTicket, let ticket, !services.tickets.redeem(ticket, for: controllerID) {
      throw ServiceError(.unauthorized, "The ticket is used, expired or not for this channel.")
    }
    let session = ChannelSession(
      handler: self, controllerID: controllerID, requestID: frame.requestID, clock: clock)
    return .upgrade(
      protocolName: protocolName, maximumMessageBytes: services.limits.channelMessage, session)
  }
}
