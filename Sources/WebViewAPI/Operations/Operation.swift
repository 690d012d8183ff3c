import HTTPModel
import WebViewCore

/// One operation of the contract, as data. HTTP and the channel both run it through `prepare`.
public struct Operation: Sendable {
  public enum Kind: Sendable, Equatable {
    case request
    /// Answers whatever the pages do, without a token, also while not ready.
    case probe
    /// Opens a WebSocket.
    case upgrade
  }
  /// A body that is not JSON, and the member that it stands for.
  public struct RawBody: Sendable, Equatable {
    public let contentType: String
    public let member: String
  }

  public let id: String
  public let method: HTTPMethod
  /// In OpenAPI's syntax.
  public let path: String
  public let kind: Kind
  public let takesBody: Bool
  public let rawBody: RawBody?
  /// Of success.
  public let statuses: [Int]
  /// All that it may answer, besides `methodNotAllowed`, which belongs to the path.
  public let errors: Set<ErrorCode>
  /// Not offered on a channel that reaches one controller only.
  public let isServerWide: Bool
  /// Offered while the server starts or drains.
  public let isAlwaysOffered: Bool
  let prepare: @Sendable (inout OperationInput, OperationContext) throws -> PreparedOperation

  /// Decodes and checks an input without doing anything.
  public func check(_ input: OperationInput, _ context: OperationContext) throws {
    var input = input
    _ = try prepare(&input, context)
  }
}

/// An operation whose input was found good.
enum PreparedOperation: Sendable {
  /// Nothing of it waits.
  case done(OperationResult)
  /// To be run on the page actor; what comes back turns into bytes anywhere.
  case page(@PageActor @Sendable () async throws -> PendingResult)
}

extension PreparedOperation {
  /// Runs the part of an operation that belongs to the page actor, with as few changes of threads as there can be.
  @PageActor
  static func run(_ body: @PageActor @Sendable () async throws -> PendingResult) async throws -> PendingResult
  {
    try await withTaskExecutorPreference(PageActor.taskExecutor) { try await body() }
  }
}

/// A result that is still values. Large ones are encoded away from both loops.
struct PendingResult: Sendable {
  /// About how many bytes the result will have.
  var roughSize: Int
  var encode: @Sendable () throws -> OperationResult
}

extension Operation {
  /// Errors that any operation under /v1 may answer.
  static let commonErrors: Set<ErrorCode> = [
    .invalidArgument, .unauthorized, .forbidden, .payloadTooLarge, .unavailable, .timeout, .internalError,
  ]
  /// Those of an operation on a controller.
  static let controllerErrors: Set<ErrorCode> = commonErrors.union([.notFound, .disposed])

  /// An operation that does not touch a page.
  static func plain(
    _ id: String, _ method: HTTPMethod, _ path: String, kind: Kind = .request, statuses: [Int] = [200],
    errors: Set<ErrorCode> = [], isServerWide: Bool = false, isAlwaysOffered: Bool = false,
    _ run: @escaping @Sendable (inout OperationInput, OperationContext) throws -> OperationResult
  ) -> Operation {
    Operation(
      id: id, method: method, path: path, kind: kind, takesBody: method == .post, rawBody: nil,
      statuses: statuses,
      errors: errors.union(kind == .probe ? [.invalidArgument, .internalError] : commonErrors)
        .union(method == .post ? [.unsupportedMediaType] : []),
      isServerWide: isServerWide, isAlwaysOffered: isAlwaysOffered || kind == .probe
    ) { input, context in
      if kind == .request { _ = try input.timeout(context.services.limits) }
      let result = try run(&input, context)
      try input.finish()
      return .done(result)
    }
  }

  /// Decode the input, run on the page actor, encode: each a line or two of its feature.
  /// - Parameter never: of the errors that such operations share, those that this one cannot have.
  static func page<Call: Sendable, Output: Sendable>(
    _ id: String, _ method: HTTPMethod, _ path: String, rawBody: RawBody? = nil, statuses: [Int] = [200],
    errors: Set<ErrorCode> = [], never: Set<ErrorCode> = [], isServerWide: Bool = false,
    isAlwaysOffered: Bool = false,
    decode: @escaping @Sendable (inout OperationInput, OperationContext) throws -> Call,
    run: @escaping @PageActor @Sendable (Call, OperationContext) async throws -> Output,
    size: @escaping @Sendable (Output) -> Int = { _ in 0 },
    encode: @escaping @Sendable (Output, OperationContext) throws -> OperationResult
  ) -> Operation {
    let takesBody = method != .get
    return Operation(
      id: id, method: method, path: path, kind: .request, takesBody: takesBody, rawBody: rawBody,
      statuses: statuses,
      errors: errors.union(path.contains("{controllerId}") ? controllerErrors : commonErrors)
        .union(takesBody ? [.unsupportedMediaType] : []).subtracting(never),
      isServerWide: isServerWide, isAlwaysOffered: isAlwaysOffered
    ) { input, context in
      var context = context
      context.deadline = try input.timeout(context.services.limits)
      let call = try decode(&input, context)
      try input.finish()
      let prepared = context
      return .page {
        let output = try await run(call, prepared)
        return PendingResult(roughSize: size(output)) { try encode(output, prepared) }
      }
    }
  }

  /// The same on one controller, which counts as used meanwhile.
  static func controller<Call: Sendable, Output: Sendable>(
    _ id: String, _ method: HTTPMethod, _ path: String, rawBody: RawBody? = nil, statuses: [Int] = [200],
    errors: Set<ErrorCode> = [],
    decode: @escaping @Sendable (inout OperationInput, OperationContext) throws -> Call,
    run: @escaping @PageActor @Sendable (Call, WebViewController, OperationContext) async throws -> Output,
    size: @escaping @Sendable (Output) -> Int = { _ in 0 },
    encode: @escaping @Sendable (Output, OperationContext) throws -> OperationResult
  ) -> Operation {
    page(
      id, method, "/v1/controllers/{controllerId}" + path, rawBody: rawBody, statuses: statuses,
      errors: errors,
      decode: { input, context in (try input.controllerID(), try decode(&input, context)) },
      run: { call, context in
        let controller = try context.services.controllers.controller(call.0)
        controller.beginUse()
        defer { controller.endUse() }
        return try await run(call.1, controller, context)
      }, size: size, encode: encode)
  }

  static func upgrade(_ id: String, _ path: String, errors: Set<ErrorCode>) -> Operation {
    Operation(
      id: id, method: .get, path: path, kind: .upgrade, takesBody: false, rawBody: nil, statuses: [101],
      errors: errors.union([
        .invalidArgument, .unauthorized, .forbidden, .unavailable, .internalError, .payloadTooLarge,
      ]), isServerWide: false, isAlwaysOffered: false
    ) { _, _ in
      throw ServiceError(
        .invalidArgument, "This is a WebSocket: ask for it with `Upgrade: websocket`.",
        details: ["header": "Upgrade"])
    }
  }
}

extension OperationInput {
  mutating func timeout(_ limits: Limits) throws(ServiceError) -> Deadline {
    let seconds = try number("timeout", in: 0...limits.maximumTimeout, above: 0)
    return Deadline(seconds: seconds ?? limits.defaultTimeout)
  }
}
