import Foundation
import Testing
import WebViewCore

@testable import WebViewAPI

/// What the encoders write is what the schemas say.
@Suite struct AnswerTests {
  private func expect(_ object: JSONObject, is schema: String, in contract: Contract = .openAPI) throws {
    // Through bytes, so that raw JSON of pages is seen as what it is.
    let value = try JSONParser.parse(JSONWriter.write(.object(object)))
    let violations = JSONSchema(contract: contract).violations(of: value, against: contract.schema(schema))
    #expect(violations == [], "\(JSONWriter.text(value))")
  }

  private var state: WebViewState {
    var state = WebViewState()
    state.url = "https://example.com/"
    state.title = "Example"
    state.estimatedProgress = 0.1 + 0.2
    return state
  }

  private func navigation(_ outcome: NavigationOutcome?) -> Navigation {
    var navigation = Navigation(id: NavigationID(number: 7), url: "https://example.com/", startedAt: Date())
    navigation.outcome = outcome
    if outcome == .finished {
      navigation.response = MainResourceResponse(
        url: "https://example.com/", status: 200,
        headers: [.init(name: "Vary", value: "A"), .init(name: "vary", value: "B")], mimeType: "text/html",
        encoding: "utf-8")
      navigation.redirects = [
        .init(url: "http://example.com/", status: 301, kind: .http),
        .init(url: "http://example.com/a", status: nil, kind: .client),
      ]
      navigation.timings.commit = 0.25
    } else if outcome != nil {
      navigation.error = LoadError(.other, "It did not load.")
    }
    return navigation
  }

  @Test func `states and settings`() throws {
    try expect(ControllerJSON.state(WebViewState()), is: "State")
    try expect(ControllerJSON.state(state), is: "State")
    try expect(SettingsJSON.settings(WebViewSettings()), is: "Settings")
    var settings = WebViewSettings()
    settings.customUserAgent = "Bot/1.0"
    try expect(SettingsJSON.settings(settings), is: "Settings")
  }

  @Test func `configurations hold what was supplied, and always ephemeral`() throws {
    #expect(ControllerJSON.configuration(ControllerOptions()) == ["ephemeral": false])
    try expect(ControllerJSON.configuration(ControllerOptions()), is: "Configuration")
    var options = ControllerOptions()
    options.ephemeral = true
    options.label = "crawler"
    options.viewport = Viewport(width: 1, height: 10_000)
    options.settings = SettingsPatch()
    options.settings?.customUserAgent = .some(nil)
    try expect(ControllerJSON.configuration(options), is: "Configuration")
  }

  @Test(arguments: [nil] + NavigationOutcome.allCases.map(Optional.some))
  func `load results`(outcome: NavigationOutcome?) throws {
    try expect(
      NavigationJSON.result(LoadResult(accepted: true, navigation: navigation(outcome))), is: "LoadResult")
  }

  @Test func `load results with nothing to do`() throws {
    try expect(NavigationJSON.result(LoadResult(accepted: false, navigation: nil)), is: "LoadResult")
  }

  @Test(arguments: LoadError.Code.allCases)
  func `load errors`(code: LoadError.Code) throws {
    try expect(LoadError(code, "Why.").json, is: "LoadError")
  }

  @Test(arguments: ErrorCode.allCases)
  func `errors`(code: ErrorCode) throws {
    let error = ErrorJSON.error(ServiceError(code, "Why.", details: ["pointer": "/url"]), requestID: "r1")
    try expect(["error": .object(error)], is: "Error")
    let withoutRequest = ErrorJSON.error(ServiceError(code, "Why."), requestID: nil)
    try expect(withoutRequest, is: "ChannelError", in: .asyncAPI)
  }

  @Test(arguments: EventType.allCases, [nil, NavigationID(number: 1)])
  func `events`(type: EventType, navigation: NavigationID?) throws {
    let details: JSONObject =
      switch type {
      case .redirect: ["url": "https://example.com/", "status": 301]
      case .webContentProcessTerminated: ["reason": .string(ProcessTerminationReason.crashed.rawValue)]
      case .navigationCancelled: ["url": "https://example.com/", "by": "policy"]
      case .callbackOpened: ["callbackId": "c1", "kind": .string(CallbackKind.scriptMessage.rawValue)]
      case .callbackClosed: ["callbackId": "c1", "reason": .string(CallbackClosing.timeout.rawValue)]
      default: [:]
      }
    let event = ControllerEvent(
      type, navigationID: navigation, state: type.carriesState ? state : nil,
      error: type == .loadError ? LoadError(.cancelled, "Stopped.") : nil, details: details)
    let entry = JournalEntry(sequence: 3, controllerID: .random(), event: event)
    try expect(EventJSON.entry(entry), is: "JournalEntry")
    try expect(EventJSON.gap(1...4), is: "Gap")
  }

  @Test func `histories`() throws {
    let item = HistoryItem(
      id: HistoryItemID(text: "h1-\(RandomID.make())"), url: "https://example.com/",
      initialURL: "http://example.com/",
      title: nil)
    try expect(HistoryJSON.list(BackForwardList()), is: "BackForwardList")
    try expect(
      HistoryJSON.list(BackForwardList(backList: [item], currentItem: item, forwardList: [item, item])),
      is: "BackForwardList")
  }

  @Test func `cookies in every form`() throws {
    let session = Cookie(name: "a", value: "", domain: "example.com")
    let lasting = Cookie(
      name: "b", value: "1", domain: ".example.com", path: "/x", isSecure: true, isHTTPOnly: true,
      expiresDate: Date(timeIntervalSince1970: 1_900_000_000.5), sameSite: Cookie.SameSite.none)
    for cookie in [session, lasting] { try expect(CookieJSON.cookie(cookie), is: "Cookie") }
    try expect(CookieJSON.storageState([session, lasting]), is: "StorageState")
    try expect(CookieJSON.result(SetCookieResult(accepted: true, stored: lasting)), is: "SetCookieResult")
    try expect(CookieJSON.result(SetCookieResult(accepted: false, reason: "No.")), is: "SetCookieResult")
  }

  @Test(arguments: [nil, NavigationID(number: 1)])
  func `questions of pages`(navigation: NavigationID?) throws {
    let payloads: [JSONObject] = [
      ["name": "greet", "contentWorld": "page"],
      ["name": "greet", "contentWorld": ["name": "w"], "body": nil],
      ["name": "greet", "contentWorld": "defaultClient", "typedBody": ["type": "undefined"]],
    ]
    for payload in payloads {
      let callback = Callback(
        id: CallbackID(text: RandomID.make()), kind: .scriptMessage, controllerID: .random(),
        navigationID: navigation,
        expiresIn: 59.5, number: 1, payload: payload)
      try expect(CallbackJSON.callback(callback), is: "Callback")
    }
  }

  @Test func `the server and its capabilities`() async throws {
    let services = await TestServices.services()
    try expect(ServerJSON.server(services, controllers: 2), is: "Server")
    try expect(Capabilities(defaults: WebViewSettings()).json, is: "Capabilities")
  }
}
