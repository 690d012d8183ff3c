import Testing
import WebProcessCore

@Suite struct HeadedNavigationTests {
  typealias Change = HeadedNavigation.Change

  private static let userAgent = HeaderField(name: "User-Agent", value: "u")
  private static let secret = HeaderField(name: "X-Secret", value: "s")
  private let url = "http://a.test/x"

  private func given(_ fields: [HeaderField] = [userAgent, secret]) -> HeadedNavigation {
    var navigation = HeadedNavigation()
    navigation.give(GivenHeaders(fields), url: url)
    return navigation
  }

  /// A document's, as on https and this machine.
  private func document(_ url: String, from: String? = nil, method: String = "GET") -> PageRequest {
    PageRequest(url: url, method: method, destination: "document", redirectedFrom: from)
  }

  /// A document's, on plain http.
  private func plain(_ url: String, from: String? = nil, page: String? = nil) -> PageRequest {
    PageRequest(url: url, upgradesInsecureRequests: true, redirectedFrom: from, pageURL: page ?? url)
  }

  /// - Parameter had: the headers of the request as WebKit would send it.
  private func send(
    _ request: PageRequest, in navigation: inout HeadedNavigation, had: [String: String] = [:]
  )
    -> Change?
  { navigation.willSend(request) { had[$0] } }

  @Test func withoutHeadersNothingIsLookedAt() {
    var navigation = HeadedNavigation()
    #expect(!navigation.isThere && send(document(url), in: &navigation) == nil)
    navigation = given()
    #expect(navigation.isThere)
    navigation.give(GivenHeaders([]), url: "")
    #expect(!navigation.isThere && send(document(url), in: &navigation) == nil)
    navigation = given([HeaderField(name: "Cookie", value: "a=b")])
    #expect(!navigation.isThere)
  }

  @Test func theMainDocumentHasThemOnceAndNothingElse() {
    var navigation = given()
    for other in ["iframe", "image", "empty", "script"] {
      #expect(send(PageRequest(url: url, destination: other, pageURL: url), in: &navigation) == nil)
    }
    #expect(send(plain(url, page: "http://a.test/old"), in: &navigation) == nil)
    #expect(send(plain(url, from: url), in: &navigation) == nil)
    #expect(
      send(document(url + "#f"), in: &navigation) == Change(set: [Self.userAgent, Self.secret], remove: []))
    #expect(send(PageRequest(url: url, destination: "image", pageURL: url), in: &navigation) == nil)
    #expect(send(document(url), in: &navigation) == nil)
  }

  @Test func anotherNavigationOfThePageEndsTheWait() {
    var navigation = given()
    #expect(send(document("http://a.test/other"), in: &navigation) == nil)
    #expect(send(document(url), in: &navigation) == nil)
  }

  @Test func redirectsTakeAlongWhatTheirOriginMayHave() {
    var navigation = given()
    _ = send(document(url), in: &navigation)
    #expect(
      send(document("http://a.test/y", from: url), in: &navigation)
        == Change(set: [Self.userAgent, Self.secret], remove: []))
    #expect(
      send(document("http://b.test/", from: "http://a.test/y"), in: &navigation)
        == Change(set: [Self.userAgent], remove: ["X-Secret"]))
    #expect(
      send(document("http://a.test/z", from: "http://b.test/"), in: &navigation)
        == Change(set: [Self.userAgent], remove: []))
  }

  @Test func redirectsToOneselfGoOn() {
    var navigation = given()
    _ = send(document(url), in: &navigation)
    for _ in 0..<3 {
      #expect(
        send(document(url, from: url), in: &navigation)
          == Change(set: [Self.userAgent, Self.secret], remove: []))
    }
  }

  @Test func aBodyThatIsLeftBehindTakesItsTypeAlong() {
    let type = HeaderField(name: "Content-Type", value: "t")
    var navigation = given([Self.secret, type])
    _ = send(document(url, method: "POST"), in: &navigation)
    #expect(
      send(document("http://a.test/same", from: url, method: "POST"), in: &navigation)
        == Change(set: [Self.secret, type], remove: []))
    #expect(
      send(document("http://a.test/get", from: "http://a.test/same"), in: &navigation)
        == Change(set: [Self.secret], remove: ["Content-Type"]))
  }

  @Test func otherRedirectsMeanwhileAreLeftAlone() {
    var navigation = given()
    _ = send(document(url), in: &navigation)
    #expect(send(document("http://b.test/", from: "http://a.test/else"), in: &navigation) == nil)
    let image = PageRequest(url: "http://b.test/", destination: "image", redirectedFrom: url)
    #expect(send(image, in: &navigation) == nil)
    #expect(send(document("http://b.test/", from: url), in: &navigation) != nil)
  }

  @Test func plainHTTPIsTreatedAlike() {
    var navigation = given()
    #expect(send(plain(url), in: &navigation) == Change(set: [Self.userAgent, Self.secret], remove: []))
    // The page's own address is still the old one.
    #expect(
      send(plain("http://b.test/", from: url, page: url), in: &navigation)
        == Change(set: [Self.userAgent], remove: ["X-Secret"]))
  }

  @Test func aRequestThatCannotBeToldApartTakesNothingAway() {
    var navigation = given()
    _ = send(plain(url), in: &navigation)
    // Of an image, or of the document after https.
    let unknown = PageRequest(url: "http://b.test/", redirectedFrom: url, pageURL: url)
    #expect(send(unknown, in: &navigation) == Change(set: [], remove: ["X-Secret"]))
    #expect(
      send(plain("http://c.test/", from: url), in: &navigation)
        == Change(set: [Self.userAgent], remove: ["X-Secret"]))
  }

  @Test func aReloadIsTheEnginesOwnAgain() {
    var navigation = given()
    _ = send(document(url), in: &navigation, had: ["User-Agent": "own"])
    _ = send(document("http://a.test/y", from: url), in: &navigation)
    navigation.give(GivenHeaders([]), url: "")
    let repeated = ["User-Agent": "u", "X-Secret": "s"]
    for _ in 0..<2 {
      #expect(
        send(document("http://a.test/y"), in: &navigation, had: repeated)
          == Change(set: [HeaderField(name: "User-Agent", value: "own")], remove: ["X-Secret"]))
    }
    #expect(send(document("http://a.test/y"), in: &navigation, had: ["User-Agent": "own"]) == nil)
    #expect(send(document("http://a.test/z"), in: &navigation, had: repeated) == nil)
    #expect(
      send(PageRequest(url: url, destination: "empty"), in: &navigation, had: repeated) == nil)
  }

  @Test func anOlderNavigationsHeadersEndWithItToo() {
    var navigation = given()
    _ = send(document(url), in: &navigation, had: ["User-Agent": "own"])
    let other = HeaderField(name: "X-Other", value: "o")
    navigation.give(GivenHeaders([other, HeaderField(name: "User-Agent", value: "v")]), url: url)
    _ = send(document(url), in: &navigation, had: ["User-Agent": "own"])
    navigation.give(GivenHeaders([other]), url: "http://a.test/y")
    _ = send(document("http://a.test/y"), in: &navigation)
    navigation.give(GivenHeaders([]), url: "")
    let own = HeaderField(name: "User-Agent", value: "own")
    #expect(
      send(document(url), in: &navigation, had: ["User-Agent": "u", "X-Secret": "s"])
        == Change(set: [own], remove: ["X-Secret"]))
    #expect(
      send(document(url), in: &navigation, had: ["User-Agent": "v", "X-Other": "o"])
        == Change(set: [own], remove: ["X-Other"]))
    #expect(
      send(document("http://a.test/y"), in: &navigation, had: ["X-Other": "o"])
        == Change(set: [], remove: ["X-Other"]))
  }

  @Test func asManyAreKeptAsAreLikelyToBeReturnedTo() {
    var navigation = HeadedNavigation()
    for number in 0...16 {
      navigation.give(GivenHeaders([Self.secret]), url: "\(url)\(number)")
      _ = send(document("\(url)\(number)"), in: &navigation)
    }
    navigation.give(GivenHeaders([]), url: "")
    let repeated = ["X-Secret": "s"]
    #expect(send(document("\(url)0"), in: &navigation, had: repeated) == nil)
    for number in 1...16 {
      #expect(
        send(document("\(url)\(number)"), in: &navigation, had: repeated)
          == Change(set: [], remove: ["X-Secret"]))
    }
  }
}
