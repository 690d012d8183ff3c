import Testing
import WebViewCore

@Suite struct URLCredentialsTests {
  @Test(arguments: [
    ("http://user:pass@site.test/a@b?c@d#e@f", "http://site.test/a@b?c@d#e@f"),
    ("https://user@site.test", "https://site.test"), ("http://a%40b:c%3A@[::1]:80/", "http://[::1]:80/"),
    ("http://@site.test/", "http://site.test/"), ("http://a:b@c@site.test?x", "http://site.test?x"),
  ])
  func areLeftOut(url: String, shown: String) { #expect(url.withoutCredentials == shown) }

  @Test(arguments: [
    ("http://user:pass@site.test/", "user", "pass"), ("https://user@site.test", "user", ""),
    ("http://a%40b:c%3A:@[::1]:80/", "a@b", "c::"), ("http://a%zz:b%00%@site.test/", "a%zz", "b%00%"),
  ])
  func areDecoded(url: String, user: String, password: String) throws {
    let credentials = try #require(url.credentials)
    #expect(credentials == (user, password))
  }

  @Test(arguments: [
    "http://site.test/a@b", "about:blank", "data:text/html,http://a:b@c/", "mailto:a@b", "", ":",
    "file:///a@b",
    "http://site.test?a@b",
  ])
  func nothingElseIs(url: String) {
    #expect(url.withoutCredentials == url && url.credentials == nil)
  }
}
