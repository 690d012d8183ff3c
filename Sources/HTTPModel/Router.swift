/// Exact matching of raw paths against templates such as `/v1/controllers/{controllerId}/state`.
///
/// Case-sensitive, without trailing slashes; the raw path is split first, then each segment is
/// percent-decoded once, so that `%2F` stays inside its segment. Literal segments win over parameters.
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

  private struct Route: Sendable {
    var method: HTTPMethod
    var parameterNames: [String]
    var value: Value
  }

  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var routes: [Route] = []
  }

  private var nodes: [Node] = [Node()]
  /// Paths of templates without parameters, as they come when nothing in them is encoded.
  private var fixed: [String: Int] = [:]

  /// Of two routes with the same method and shape the first one holds.
  public init(_ routes: [(method: HTTPMethod, template: String, value: Value)]) {
    for route in routes { insert(route.method, route.template, route.value) }
  }

  private mutating func insert(_ method: HTTPMethod, _ template: String, _ value: Value) {
    var node = 0
    var names: [String] = []
    for segment in template.split(separator: "/", omittingEmptySubsequences: true) {
      let next: Int?
      if segment.hasPrefix("{"), segment.hasSuffix("}") {
        names.append(String(segment.dropFirst().dropLast()))
        next = nodes[node].parameter
        if next == nil { nodes[node].parameter = nodes.count }
      } else {
        next = nodes[node].literals[String(segment)]
        if next == nil { nodes[node].literals[String(segment)] = nodes.count }
      }
      if let next {
        node = next
      } else {
        node = nodes.count
        nodes.append(Node())
      }
    }
    if names.isEmpty { fixed[template] = node }
    nodes[node].routes.append(Route(method: method, parameterNames: names, value: value))
  }

  /// A segment that does not decode to UTF-8, or decodes to `.` or `..`, is no route.
  public func route(method: HTTPMethod, path: String) -> Result {
    if let node = fixed[path] { return answer(method, node, []) }
    guard let segments = Self.segments(of: path) else { return .noRoute }
    var values: [String] = []
    guard let node = find(segments[...], from: 0, &values) else { return .noRoute }
    return answer(method, node, values)
  }

  private func find(_ segments: ArraySlice<String>, from node: Int, _ values: inout [String]) -> Int? {
    guard let segment = segments.first else { return nodes[node].routes.isEmpty ? nil : node }
    if let next = nodes[node].literals[segment], let found = find(segments.dropFirst(), from: next, &values) {
      return found
    }
    guard let next = nodes[node].parameter, !segment.isEmpty else { return nil }
    values.append(segment)
    if let found = find(segments.dropFirst(), from: next, &values) { return found }
    values.removeLast()
    return nil
  }

  private func answer(_ method: HTTPMethod, _ node: Int, _ values: [String]) -> Result {
    let routes = nodes[node].routes
    let chosen =
      routes.first { $0.method == method }
      ?? (method == .head ? routes.first { $0.method == .get } : nil)
    if let chosen {
      let parameters = Dictionary(
        zip(chosen.parameterNames, values), uniquingKeysWith: { first, _ in first })
      return .match(Match(value: chosen.value, parameters: parameters))
    }
    let allowed = Self.allowed(routes.map(\.method))
    return method == .options ? .options(allowed: allowed) : .wrongMethod(allowed: allowed)
  }

  private static func allowed(_ methods: [HTTPMethod]) -> [HTTPMethod] {
    var allowed: [HTTPMethod] = []
    for method in methods where !allowed.contains(method) {
      allowed.append(method)
      if method == .get, !methods.contains(.head) { allowed.append(.head) }
    }
    if !allowed.contains(.options) { allowed.append(.options) }
    return allowed
  }

  /// nil for what can be no route.
  private static func segments(of path: String) -> [String]? {
    var path = path
    return path.withUTF8 { bytes -> [String]? in
      guard bytes.first == UInt8(ascii: "/") else { return nil }
      if bytes.count == 1 { return [] }
      var segments: [String] = []
      for raw in bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
        guard let segment = PercentEncoding.decode(raw), segment != ".", segment != ".." else { return nil }
        segments.append(segment)
      }
      return segments
    }
  }
}
