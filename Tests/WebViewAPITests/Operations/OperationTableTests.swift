import HTTPModel
import Testing
import WebViewCore

@testable import WebViewAPI

@Suite struct OperationTableTests {
  /// A good input of each operation that takes members, to be made bad one member at a time.
  static let good: [String: String] = [
    "createController": """
    {"ephemeral":true,"label":"x","viewport":{"width":800.0,"height":6e2},"timeout":1,
     "settings":{"customUserAgent":null,"pageZoom":1.5,"viewport":{"width":1,"height":10000}}}
    """,
    "setSettings": #"{"customUserAgent":"A/1","pageZoom":0.25,"viewport":{"width":5,"height":5}}"#,
    "loadURL": #"{"url":"http://localhost/","wait":{"event":"commit","selector":"a"},"timeout":5}"#,
    "loadRequest": """
    {"url":"http://localhost/","method":"PUT","headers":{"X-A":"b"},"bodyBase64":"AAAA","timeoutInterval":0.5,
     "cachePolicy":"reloadIgnoringLocalCacheData","wait":{"event":"load"}}
    """,
    "loadSimulatedRequest": """
    {"request":{"url":"http://localhost/"},"response":{"statusCode":404,"headers":{"Set-Cookie":"a=b"}},"html":"x"}
    """,
    "loadHTML": """
    {"html":"<p>","baseURL":"http://localhost/","wait":{"visible":"a","hidden":"b"},"followClientRedirects":20}
    """,
    "loadData": #"{"dataBase64":"YWI","mimeType":"text/html","encoding":"utf-8","baseURL":"about:blank"}"#,
    "loadFile": #"{"path":"a.html","allowingReadAccessTo":"b"}"#,
    "waitForLoad": #"{"wait":{"function":"return 1","networkIdle":0.5,"delay":0},"navigationId":"n1"}"#,
    "reload": #"{"fromOrigin":true,"wait":{"event":"domContentLoaded"}}"#,
    "goBack": #"{"wait":{"event":"load"}}"#, "goForward": #"{"wait":{"event":"load"}}"#,
    "goToHistoryItem": #"{"wait":{"event":"load"}}"#,
    "stopLoading": #"{"navigationId":"n2"}"#,
    "evaluateJavaScript": """
    {"javaScript":"return a","arguments":{"a":[1,{"b":null}]},"contentWorld":{"name":"w"},"resultMode":"typed"}
    """,
    "setCookies": """
    {"cookies":[{"name":"a","value":"b","domain":"localhost","path":"/","isSecure":false,"isHTTPOnly":true,
     "isSessionOnly":false,"expiresDate":"2030-01-01T00:00:00Z","sameSite":"LAX","hostOnly":true}]}
    """,
    "addScriptMessageHandler":
      #"{"contentWorld":"defaultClient","includeFrameInfo":false,"bodyMode":"json"}"#,
    "replyToCallback": #"{"kind":"scriptMessage","value":[null]}"#,
    "getCookies": #"{"url":"http://localhost/","name":"a","domain":"b","path":"/","format":"netscape"}"#,
    "deleteCookies": #"{"name":"a","domain":"b","path":"/"}"#,
    "takeSnapshot": """
    {"region":"viewport","x":0.5,"y":0,"width":10,"height":10.25,"snapshotWidth":100,"afterScreenUpdates":false,
     "allowTransparentBackground":true,"format":"png"}
    """,
    "getHTML": #"{"format":"text"}"#,
    "listCallbacks": #"{"since":0,"kinds":["scriptMessage"],"poll":1}"#,
    "listEvents": #"{"since":3,"run":"r","types":["commit","all"],"poll":0,"limit":10}"#,
    "listServerEvents": #"{"limit":1000}"#, "listControllers": #"{"label":"x"}"#,
  ]

  static let requests = OperationTable.all.filter { $0.kind == .request }

  private func check(_ operation: Operation, _ body: JSONObject) async throws {
    let server = await TestServer()
    let context = OperationContext(
      services: server.services, documents: APIDocuments(openAPI: [], asyncAPI: []), requestID: "t")
    var path: [String: String] = [:]
    for name in ["controllerId", "name", "callbackId", "navigationId", "itemId"]
    where operation.path.contains("{\(name)}") {
      path[name] = "n1"
    }
    try operation.check(try OperationInput(path: path, body: body), context)
  }

  /// A good one.
  static func input(_ id: String) throws -> JSONObject {
    try #require(try JSONParser.parse(good[id] ?? "{}").object)
  }

  private func object(_ operation: Operation) throws -> JSONObject { try Self.input(operation.id) }

  @Test("Ids, and methods with paths, are unique; paths and statuses are of the contract's kind")
  func shape() {
    #expect(Set(OperationTable.all.map(\.id)).count == OperationTable.all.count)
    #expect(Set(OperationTable.all.map { "\($0.method) \($0.path)" }).count == OperationTable.all.count)
    for operation in OperationTable.all {
      #expect(operation.path.hasPrefix("/") && !operation.path.hasSuffix("/"))
      #expect(!operation.statuses.isEmpty && operation.errors.contains(.internalError))
    }
    #expect(OperationTable.all.count == 46)
  }

  @Test("A good input is taken", arguments: requests)
  func good(operation: Operation) async throws {
    try await check(operation, try object(operation))
  }

  @Test("An unknown member is refused by name", arguments: requests)
  func unknownMember(operation: Operation) async throws {
    var body = try object(operation)
    body["zzzz"] = 1
    let error = await #expect(throws: ServiceError.self) { try await check(operation, body) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["pointer"]?.text == "/zzzz")
    #expect(error?.message.contains("`zzzz`") == true)
  }

  @Test("A wrong type of any member, at any depth, is refused by its pointer", arguments: requests)
  func wrongTypes(operation: Operation) async throws {
    let good = try object(operation)
    for member in good {
      for (wrong, pointer) in Self.wrongForms(of: member.value, at: JSONPointer.token(member.name)) {
        // Values of arguments and replies are the caller's own.
        if operation.id == "evaluateJavaScript", pointer.hasPrefix("/arguments/") { continue }
        if operation.id == "replyToCallback", pointer.hasPrefix("/value") { continue }
        var body = good
        body[member.name] = wrong
        let error = await #expect(throws: ServiceError.self, "\(operation.id) \(pointer) \(wrong)") {
          try await check(operation, body)
        }
        #expect(error?.code == .invalidArgument, "\(operation.id) \(pointer)")
        let told = error?.details["pointer"]?.text ?? ""
        #expect(told.hasPrefix(pointer), "\(operation.id) \(pointer) told \(told)")
        #expect(error?.message.hasSuffix(".") == true)
      }
    }
  }

  /// The value with one wrong thing in it, and where.
  private static func wrongForms(of value: JSONValue, at pointer: String) -> [(JSONValue, String)] {
    var forms: [(JSONValue, String)] = []
    switch value {
    case .string: forms = [(1, pointer), (true, pointer), ([], pointer)]
    case .null: forms = [(1, pointer), ([], pointer)]
    case .bool: forms = [(1, pointer), ("true", pointer), (.null, pointer)]
    case .number: forms = [("1", pointer), (true, pointer), (.null, pointer), (.raw(#""\ud800""#), pointer)]
    case .array(let elements):
      forms = [("x", pointer), ([:], pointer)]
      for (index, element) in elements.enumerated() {
        for (wrong, place) in wrongForms(of: element, at: pointer + "/\(index)") {
          var changed = elements
          changed[index] = wrong
          forms.append((.array(changed), place))
        }
      }
    case .object(let object):
      forms = [(1, pointer), ([], pointer)]
      for member in object {
        for (wrong, place) in wrongForms(of: member.value, at: pointer + JSONPointer.token(member.name)) {
          var changed = object
          changed[member.name] = wrong
          forms.append((.object(changed), place))
        }
      }
    case .raw: break
    }
    return forms
  }

  @Test(
    "A required member that is missing is named",
    arguments: [
      ("loadURL", "url"), ("loadRequest", "url"), ("loadSimulatedRequest", "request"),
      ("loadHTML", "html"), ("loadData", "mimeType"), ("loadFile", "path"),
      ("setCookies", "cookies"), ("replyToCallback", "kind"),
    ])
  func missing(id: String, member: String) async throws {
    let operation = try #require(OperationTable.byID[id])
    var body = try object(operation)
    body[member] = nil
    let error = await #expect(throws: ServiceError.self) { try await check(operation, body) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["pointer"]?.text == "/\(member)")
    #expect(error?.message.hasPrefix("`\(member)` is required") == true)
  }

  @Test(
    "A poll may last as long as the operation, the longest one too",
    arguments: [#"{"poll":90}"#, #"{"poll":300,"timeout":300}"#, #"{"poll":0.5,"timeout":0.5}"#])
  func longPolls(body: String) async throws {
    for id in ["listEvents", "listCallbacks", "listServerEvents"] {
      try await check(
        try #require(OperationTable.byID[id]), try #require(try JSONParser.parse(body).object))
    }
  }

  @Test(
    "What is wrong in meaning is refused by its pointer",
    arguments: [
      ("createController", #"{"label":""}"#, "/label"),
      ("createController", #"{"viewport":{"width":1}}"#, "/viewport/height"),
      ("createController", #"{"viewport":{"width":0,"height":1}}"#, "/viewport/width"),
      ("createController", #"{"viewport":{"width":1.5,"height":1}}"#, "/viewport/width"),
      ("createController", #"{"viewport":{"width":1e30,"height":1}}"#, "/viewport/width"),
      ("createController", #"{"timeout":0}"#, "/timeout"),
      ("createController", #"{"timeout":601}"#, "/timeout"),
      ("setSettings", #"{"pageZoom":9}"#, "/pageZoom"), ("setSettings", #"{"pageZoom":null}"#, "/pageZoom"),
      ("loadURL", #"{"url":"http://a","wait":{"event":"idle"}}"#, "/wait/event"),
      ("loadURL", #"{"url":"http://a","wait":{"evnt":"load"}}"#, "/wait/evnt"),
      ("loadHTML", #"{"html":"","baseURL":"relative"}"#, "/baseURL"),
      ("loadData", #"{"data":"a","dataBase64":"YQ==","mimeType":"a/b"}"#, "/dataBase64"),
      ("loadData", #"{"dataBase64":"a!","mimeType":"a/b"}"#, "/dataBase64"),
      ("loadData", #"{"data":"a","mimeType":"html"}"#, "/mimeType"),
      ("evaluateJavaScript", #"{"javaScript":"1","expression":"1"}"#, "/expression"),
      ("evaluateJavaScript", #"{"expression":"1","arguments":{"a-b":1}}"#, "/arguments/a-b"),
      ("evaluateJavaScript", #"{"expression":"1","arguments":{"await":1}}"#, "/arguments/await"),
      ("evaluateJavaScript", #"{"expression":"1","contentWorld":"other"}"#, "/contentWorld"),
      ("evaluateJavaScript", #"{"expression":"1","contentWorld":{"name":""}}"#, "/contentWorld/name"),
      ("evaluateJavaScript", #"{"expression":"1","contentWorld":{"name":"a","x":1}}"#, "/contentWorld/x"),
      (
        "evaluateJavaScript", #"{"expression":"1","typedArguments":{"a":{"type":"x"}}}"#,
        "/typedArguments/a/type"
      ),
      (
        "evaluateJavaScript", #"{"expression":"1","typedArguments":{"a":{"type":"map","value":[[1]]}}}"#,
        "/typedArguments/a/value/0"
      ),
      (
        "evaluateJavaScript",
        #"{"expression":"1","typedArguments":{"a":{"type":"arraybuffer","valueBase64":"!"}}}"#,
        "/typedArguments/a/valueBase64"
      ),
      ("evaluateJavaScript", #"{"expression":"1","arguments":{"x":1e999}}"#, "/arguments/x"),
      (
        "evaluateJavaScript", #"{"expression":"1","arguments":{"x":[1e308,{"a/b":-1e999}]}}"#,
        "/arguments/x/1/a~1b"
      ),
      ("replyToCallback", #"{"kind":"scriptMessage","value":{"a":[1e999]}}"#, "/value/a/0"),
      ("listEvents", #"{"poll":301,"timeout":600}"#, "/poll"), ("listEvents", #"{"poll":91}"#, "/poll"),
      ("listCallbacks", #"{"poll":6,"timeout":5}"#, "/poll"),
      ("setCookies", #"{"cookies":[{"name":"a","value":"b"}]}"#, "/cookies/0/domain"),
      (
        "setCookies", #"{"cookies":[{"name":"a","value":"b","domain":"c","expiresDate":"tomorrow"}]}"#,
        "/cookies/0/expiresDate"
      ),
      (
        "setCookies", #"{"cookies":[{"name":"a","value":"b","domain":"c","sameSite":"x"}]}"#,
        "/cookies/0/sameSite"
      ),
      ("takeSnapshot", #"{"x":1}"#, "/width"), ("takeSnapshot", #"{"width":1,"height":0}"#, "/height"),
      ("replyToCallback", #"{"kind":"scriptMessage","value":1,"typedValue":1}"#, "/typedValue"),
      ("replyToCallback", #"{"kind":"scriptMessage","error":{"code":"x","message":""}}"#, "/error/code"),
      ("listEvents", #"{"types":["commit","nothing"]}"#, "/types/1"),
      ("listEvents", #"{"since":-1}"#, "/since"),
      ("getState", #"{"controllerId":"x"}"#, "/controllerId"),
    ])
  func meaning(id: String, body: String, pointer: String) async throws {
    let operation = try #require(OperationTable.byID[id])
    let object = try #require(try JSONParser.parse(body).object)
    let error = await #expect(throws: ServiceError.self) { try await check(operation, object) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.details["pointer"]?.text == pointer)
  }
}

extension Operation: CustomTestStringConvertible {
  public var testDescription: String { id }
}
