public struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
  public let name: String
  public init(_ name: String) { self.name = name }
  public var description: String { name }
  public static let get = HTTPMethod("GET")
  public static let head = HTTPMethod("HEAD")
  public static let post = HTTPMethod("POST")
  public static let put = HTTPMethod("PUT")
  public static let patch = HTTPMethod("PATCH")
  public static let delete = HTTPMethod("DELETE")
  public static let options = HTTPMethod("OPTIONS")
}

/// Header fields in order; names compare without case.
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral, Sequence {
  public struct Field: Sendable, Equatable {
    public var name: String
    public var value: String
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
  public private(set) var fields: [Field] = []
  public init() {}
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first of that name; setting replaces all, nil removes all.
  public subscript(name: String) -> String? {
    get { fields.first { Self.equal($0.name, name) }?.value }
    set {
      fields.removeAll { Self.equal($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }
  public func all(_ name: String) -> [String] { fields.filter { Self.equal($0.name, name) }.map(\.value) }
  public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }
  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func equal(_ left: String, _ right: String) -> Bool {
    // Without making two strings: this runs for every header of every request.
    left.utf8.count == right.utf8.count
      && left.utf8.elementsEqual(right.utf8) { $0 == $1 || lower($0) == lower($1) }
  }
}

/// A request before its body.
public struct HTTPRequestHead: Sendable {
  public var method: HTTPMethod
  /// As it came, still percent-encoded, without the query.
  public var path: String
  /// As it came, without `?`; nil when there is none.
  public var query: String?
  public var headers: HTTPHeaders
  public var isSecure: Bool
  public var isUnixSocket: Bool
  public init(
    method: HTTPMethod, path: String, query: String? = nil, headers: HTTPHeaders = [:],
    isSecure: Bool = false,
    isUnixSocket: Bool = false
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.isSecure = isSecure
    self.isUnixSocket = isUnixSocket
  }
}

public struct HTTPResponse: Sendable {
  public var status: Int
  public var headers: HTTPHeaders
  public var body: HTTPBody
  public init(status: Int, headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

public enum HTTPBody: Sendable {
  case empty
  case bytes([UInt8])
  /// Written piece by piece as the client takes it (backpressure); `length` nil means chunked.
  case stream(length: Int?, @Sendable (any HTTPBodyWriter) async throws -> Void)
}

public protocol HTTPBodyWriter: Sendable {
  /// Returns when the piece went out; throws when the client is gone.
  func write(_ bytes: [UInt8]) async throws
}
