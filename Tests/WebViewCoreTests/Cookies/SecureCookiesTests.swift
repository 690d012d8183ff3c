import Testing
import WebViewCore

@Suite struct SecureCookiesTests {
  private func cookie(_ domain: String, _ path: String = "/", isSecure: Bool = false) -> Cookie {
    Cookie(name: "n", value: "v", domain: domain, path: path, isSecure: isSecure)
  }

  @Test(arguments: [
    ("site.test", "/", "site.test", "/", true), ("site.test", "/a", ".site.test", "/", true),
    (".site.test", "/a/b", "WWW.site.test", "/a", true), (".www.site.test", "/", "site.test", "/", true),
    ("site.test", "/", "site.test", "/a", false), ("site.test", "/ab", "site.test", "/a", false),
    ("site.test", "/", "othersite.test", "/", false), ("127.0.0.1", "/", "127.0.0.10", "/", false),
  ])
  func aPlaceIsThatOfItsSites(domain: String, path: String, other: String, otherPath: String, isSo: Bool) {
    #expect(cookie(domain, path).isShadowing(cookie(other, otherPath, isSecure: true)) == isSo)
    #expect(!cookie(domain, path).isShadowing(cookie(other, otherPath)))
  }

  @Test func anotherNameIsAnotherPlace() {
    var other = cookie("site.test", isSecure: true)
    other.name = "m"
    #expect(!cookie("site.test").isShadowing(other))
  }
}
