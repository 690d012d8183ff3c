import Testing
import WebProcessCore

@Suite struct GivenHeadersTests {
  private static let given = [
    HeaderField(name: "User-Agent", value: "u"), HeaderField(name: "accept", value: "a"),
    HeaderField(name: "Accept-Language", value: "l"), HeaderField(name: "Authorization", value: "secret"),
    HeaderField(name: "Content-Type", value: "t"), HeaderField(name: "X-A", value: "x"),
  ]

  @Test(arguments: [
    "Cookie", "cookie2", "CONNECTION", "Content-Length", "Host", "Keep-Alive", "Proxy-Authorization", "TE",
    "Trailer", "Transfer-Encoding", "Upgrade", "Expect",
  ]) func whatIsNeverAClientsIsLeftOut(name: String) {
    #expect(GivenHeaders([HeaderField(name: name, value: "x")]).fields.isEmpty)
  }

  @Test(arguments: [
    ("", "a"), ("X A", "a"), ("X:", "a"), ("X\u{e9}", "a"), ("X", "a\r\nY: b"), ("X", "a\n"), ("X", "\0"),
  ])
  func whatIsNoHeaderIsLeftOut(name: String, value: String) {
    #expect(GivenHeaders([HeaderField(name: name, value: value)]).fields.isEmpty)
  }

  @Test func severalOfOneNameBecomeOne() {
    let headers = GivenHeaders([
      HeaderField(name: "X-A", value: "1"), HeaderField(name: "X-B", value: "2"),
      HeaderField(name: "x-a", value: "3"),
    ])
    #expect(
      headers.fields == [HeaderField(name: "X-A", value: "1, 3"), HeaderField(name: "X-B", value: "2")])
  }

  @Test(arguments: [
    ("http://a.test/", "http://a.test/b?c#d"), ("http://a.test:81/x", "http://a.test:81"),
    ("http://u:p@a.test/", "http://a.test/"), ("http://a.test/", "http://a@b@a.test/"),
    ("https://a.test?x", "https://a.test#y"),
  ]) func theSameOriginIsToldEverything(from: String, to: String) {
    var headers = GivenHeaders(Self.given)
    #expect(headers.followRedirect(from: from, to: to, keepsMethod: true) == [])
    #expect(headers.fields == Self.given)
  }

  @Test(arguments: [
    ("http://a.test/", "https://a.test/"), ("http://a.test/", "http://a.test:81/"),
    ("http://a.test/", "http://b.test/"), ("http://a.test/", "http://sub.a.test/"),
    ("http://a.test/", "http://a.test@b.test/"), ("http://a.test/", "http://b.test/@a.test/"),
    ("http://a.test/", "http://b.test?@a.test/"), ("http://a.test", "http://a.test.b.test/"),
    ("data:a", "data:b"), ("about:blank", "http://about:1/"),
  ]) func anotherOriginIsToldWhatABrowserTellsEverybody(from: String, to: String) {
    var headers = GivenHeaders(Self.given)
    #expect(
      headers.followRedirect(from: from, to: to, keepsMethod: true) == [
        "Authorization", "Content-Type", "X-A",
      ])
    #expect(headers.fields == Array(Self.given.prefix(3)))
    // They do not come back with the way back.
    #expect(headers.followRedirect(from: to, to: from, keepsMethod: true) == [])
    #expect(headers.fields == Array(Self.given.prefix(3)))
  }

  @Test func whatDescribesTheBodyGoesWithTheBody() {
    var headers = GivenHeaders(Self.given)
    #expect(
      headers.followRedirect(from: "http://a.test/", to: "http://a.test/b", keepsMethod: false) == [
        "Content-Type"
      ])
    #expect(
      headers.fields.map(\.name) == ["User-Agent", "accept", "Accept-Language", "Authorization", "X-A"])
  }
}
