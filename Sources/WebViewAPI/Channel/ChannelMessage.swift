import WebViewCore

/// What a client sends: `{"id", "method", "params"}`.
public struct ChannelMessage: Sendable, Equatable {
  /// A number or a string, given back as it came; nil: only errors are answered.
  public var id: JSONValue?
  public var method: String
  public var params: JSONObject
  /// Bytes of the whole message.
  public var size = 0

  /// A message that is none, with the id where one could be read.
  public struct Problem: Error, Sendable {
    public var id: JSONValue?
    public var error: ServiceError
  }

  public static func decode(_ text: String) throws(Problem) -> ChannelMessage {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONParser.parse(text) } catch {
      throw Problem(
        error: ServiceError(
          .invalidArgument, error.description,
          details: ["pointer": .string(error.pointer), "offset": JSONValue(error.offset)]))
    }
    guard case .object(let object) = value else {
      throw Problem(
        error: ServiceError(.invalidArgument, "A message is a JSON object with `id`, `method`, `params`."))
    }
    let id = try id(object)
    do throws(ServiceError) {
      var input = try OperationInput(body: object)
      input.note("id")
      let method = try input.requiredString(
        "method", "the operationId of an operation, or a method of the channel")
      let params = try input.jsonObject("params") ?? [:]
      try input.finish()
      return ChannelMessage(id: id, method: method, params: params, size: text.utf8.count)
    } catch { throw Problem(id: id, error: error) }
  }

  private static func id(_ object: JSONObject) throws(Problem) -> JSONValue? {
    switch object["id"] {
    case nil: return nil
    case .number(let number)? where number.literal.utf8.count <= 32: return .number(number)
    case .string(let text)? where text.utf8.count <= 128: return .string(text)
    default:
      throw Problem(
        error: ServiceError(
          .invalidArgument, "`/id` must be a number, or a string of at most 128 bytes.",
          details: ["pointer": "/id"]))
    }
  }
}
