import Testing
import WebViewCore

/// The words and numbers of the contract are those of the code.
@Suite struct VocabularyTests {
  static let contract = Contract.openAPI

  @Test(arguments: [
    ("ErrorCode", ErrorCode.allCases.map(\.rawValue)),
    ("LoadErrorCode", LoadError.Code.allCases.map(\.rawValue)),
    ("Outcome", NavigationOutcome.allCases.map(\.rawValue)),
    ("WaitEvent", LoadWait.allCases.map(\.rawValue)),
    ("TrustFault", ServerTrust.Fault.allCases.map(\.rawValue)),
    ("CachePolicy", CachePolicy.allCases.map(\.rawValue)),
    ("ResultMode", ResultMode.allCases.map(\.rawValue)),
    ("BodyMode", MessageHandlerRegistration.BodyMode.allCases.map(\.rawValue)),
    ("EventType", EventType.allCases.map(\.rawValue)),
    ("CallbackKind", CallbackKind.allCases.map(\.rawValue)),
    ("SameSite", Cookie.SameSite.allCases.map(\.rawValue)),
  ])
  func `words are the documented ones`(schema: String, words: [String]) {
    #expect(Self.contract.schema(schema)["enum"]?.texts.sorted() == words.sorted())
  }

  @Test func `error codes stand beside their status in the table of codes`() {
    let table = Self.contract.schema("ErrorCode")["description"]?.text ?? ""
    for code in ErrorCode.allCases {
      #expect(table.contains("| `\(code.rawValue)` | \(Self.status(code)) |"))
    }
  }

  private static func status(_ code: ErrorCode) -> Int { code.httpStatus }

  @Test func `event types of the journal's query are all of them, and "all"`() {
    let parameter = Self.contract.document["components"]?["parameters"]?["EventTypes"]
    let words = parameter?["schema"]?["items"]?["enum"]?.texts ?? []
    #expect(Set(words) == Set(EventType.allCases.map(\.rawValue) + ["all"]))
  }

  @Test func `the channel's words are the API's`() {
    for name in ["ErrorCode", "EventType", "CallbackKind", "LoadErrorCode", "State", "Event", "ContentWorld"]
    {
      #expect(Contract.asyncAPI.schema(name) == Self.contract.schema(name), "\(name)")
    }
  }

  @Test func `ranges are the documented ones`() {
    let limits = Limits()
    #expect(Self.contract.schema("Timeout")["maximum"]?.number == limits.maximumTimeout)
    for side in ["width", "height"] {
      let schema = Self.contract.schema("Viewport")["properties"]?[side]
      #expect(schema?["minimum"]?.number == Double(Viewport.range.lowerBound))
      #expect(schema?["maximum"]?.number == Double(Viewport.range.upperBound))
    }
    for name in ["PageZoom", "Settings"] {
      let zoom =
        name == "Settings"
        ? Self.contract.schema(name)["properties"]?["pageZoom"] : Self.contract.schema(name)
      #expect(zoom?["minimum"]?.number == SettingsPatch.zoomRange.lowerBound)
      #expect(zoom?["maximum"]?.number == SettingsPatch.zoomRange.upperBound)
    }
  }

  @Test func `the prose names the deadlines that hold`() {
    let limits = Limits()
    let prose = Self.contract.document["info"]?["description"]?.text ?? ""
    #expect(prose.contains("\(Int(limits.defaultTimeout)) unless given"))
    #expect(prose.contains("at most \(Int(limits.maximumTimeout))"))
  }
}
