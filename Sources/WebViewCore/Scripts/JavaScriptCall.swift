/// Where a script runs.
public enum ContentWorld: Sendable, Hashable {
  case page
  case defaultClient
  case named(String)

  /// WebKit tells worlds apart by the letters of their names.
  public static func == (left: ContentWorld, right: ContentWorld) -> Bool {
    switch (left, right) {
    case (.page, .page), (.defaultClient, .defaultClient): true
    case (.named(let left), .named(let right)): left.isExactly(right)
    default: false
    }
  }
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .page: hasher.combine(0)
    case .defaultClient: hasher.combine(1)
    case .named(let name): hasher.combine(ExactText(name))
    }
  }

  /// The contract's form in bodies.
  public var json: JSONValue {
    switch self {
    case .page: "page"
    case .defaultClient: "defaultClient"
    case .named(let name): ["name": .string(name)]
    }
  }
}

public enum ResultMode: String, CaseIterable, Sendable {
  case json, typed, discard
  /// Whether the value counts as true, as `.json("true")` or `.json("false")`. Not offered to clients.
  case truth

  public static let allCases: [ResultMode] = [.json, .typed, .discard]
}

/// A call of `evaluateJavaScript`.
public struct JavaScriptCall: Sendable, Equatable {
  public enum Code: Sendable, Equatable {
    /// The body of an async function: `return` gives the result.
    case functionBody(String)
    /// Its value is the result; a promise is awaited.
    case expression(String)
  }
  public struct Argument: Sendable, Equatable {
    /// A JavaScript identifier.
    public var name: String
    public var value: JSONValue
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
  public var code: Code
  public var arguments: [Argument] = []
  /// Arguments are WebDriver BiDi LocalValues rather than plain JSON.
  public var hasTypedArguments = false
  public var contentWorld: ContentWorld = .page
  public var resultMode: ResultMode = .json
  public init(_ code: Code) { self.code = code }
}

/// JSON text as the page made it, passed on without being parsed.
public enum JavaScriptResult: Sendable, Equatable {
  case undefined
  case json(String)
  case typed(String)
  case discarded
}

/// What a page's code threw, or why it did not parse.
public struct JavaScriptException: Error, Sendable, Equatable {
  public var name: String
  public var message: String
  public var line: Int?
  public var column: Int?
  public var sourceURL: String?
  public var stack: String?
  public init(
    name: String, message: String, line: Int? = nil, column: Int? = nil, sourceURL: String? = nil,
    stack: String? = nil
  ) {
    self.name = name
    self.message = message
    self.line = line
    self.column = column
    self.sourceURL = sourceURL
    self.stack = stack
  }
}
