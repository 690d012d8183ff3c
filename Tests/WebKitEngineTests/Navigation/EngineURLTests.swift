import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct EngineURLTests {
  @Test(arguments: [
    ("http://EXAMPLE.com:80/a b?q='\"#f g", "http://example.com/a%20b?q=%27%22#f%20g"),
    ("http:/x", "http://x/"),
    ("http:\\\\x\\y", "http://x/y"),
    ("http://münchen.de/ü?ü#ü", "http://xn--mnchen-3ya.de/%C3%BC?%C3%BC#%C3%BC"),
    ("about:blank", "about:blank"),
    ("file:///etc/../x", "file:///x"), ("HTTP://1.2.3/", "http://1.2.0.3/"),
    ("http://[::1]:80/", "http://[::1]/"), ("  http://x\n", "http://x/"),
    ("https://user:p@x:443/", "https://user:p@x/"), ("data:text/html,ü", "data:text/html,%C3%BC"),
    ("http://faß.de/", "http://xn--fa-hia.de/"),
    ("http://x/%zz", "http://x/%zz"), ("http://日本.jp/", "http://xn--wgv71a.jp/"),
  ]) @PageActor func parsesAsTheStandardSays(text: String, expected: String) throws {
    _ = try EngineHarness.engine()
    #expect(EngineURL.parse(text)?.text == expected)
    #expect(EngineURL.parse(text)?.scheme == expected.split(separator: ":").first.map(String.init))
  }

  @Test(arguments: [
    "", "foo", "//x", "http://", "http://a b/", "http://x:99999/", "http://a%00b/", "http://xn--a/",
    "http://x\u{0}/", "/path", "http://[::1/",
  ])
  @PageActor func refusesWhatIsNotAbsolute(text: String) throws {
    _ = try EngineHarness.engine()
    #expect(EngineURL.parse(text) == nil)
  }
}
