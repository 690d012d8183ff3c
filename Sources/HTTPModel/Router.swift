/// Exact matching of raw paths against templates such as `/v1/controllers/{controllerId}/state`.
public struct Router<Value: Sendable>: Sendable {
  public struct Match: Sendable {
    public var value: Value
    /// Percent-decoded once, by name.
    public var parameters: [String: String]
  }
  public enum Result: Sendable {
    case match(Match)
    case noRoute
    /// With what `Allow` says, HEAD and OPTIONS included.
    case wrongMethod(allowed: [HTTPMethod])
    /// OPTIONS on a path that exists.
    case options(allowed: [HTTPMethod])
  }

  public init(_ routes: [(method: HTTPMethod, template: String, value: Value)]) {}

  /// A segment that does not decode to UTF-8, or decodes to `.` or `..`, is no route.
  public func route(method: HTTPMethod, path: String) -> Result { .noRoute }
}
