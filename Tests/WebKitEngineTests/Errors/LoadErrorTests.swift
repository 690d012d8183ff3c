import GLibBridge
import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct LoadErrorTests {
  @Test(arguments: [
    ("g-resolver-error-quark", 0, LoadError.Code.cannotFindHost), ("g-io-error-quark", 39, .cannotConnect),
    ("g-io-error-quark", 34, .connectionLost),
    ("g-io-error-quark", 24, .timedOut), ("g-io-error-quark", 1, .fileNotFound),
    ("g-tls-error-quark", 2, .tlsError), ("g-tls-error-quark", 99, .tlsError),
    ("WebKitNetworkError", 302, .cancelled), ("WebKitErrorDomain", 300, .connectionLost),
    ("WebKitPolicyError", 101, .unsupportedURL),
    ("WebKitPolicyError", 102, .cancelled),
    ("WebKitPolicyError", 104, .blockedByContentRule),
    ("WebKitPolicyError", 100, .cannotShowMIMEType), ("unknown", 7, .other), ("", 0, .other),
  ]) func domainsAndCodesHaveOneMeaning(domain: String, code: Int, expected: LoadError.Code) {
    #expect(
      LoadError(GLibError(domain: domain, code: code, message: "m"), redirects: 0, url: "http://a.test/")
        == LoadError(expected, "m")
    )
  }

  @Test func aRefusedAddressIsNotCalledAPort() {
    let port = GLibError(domain: "WebKitPolicyError", code: 103, message: "restricted port")
    #expect(LoadError(port, redirects: 1, url: "data:text/plain,x") == .refusedAddress)
    let nameless = GLibError(domain: "", code: 0, message: "restricted port")
    #expect(LoadError(nameless, redirects: 1, url: "javascript:alert(1)") == .refusedAddress)
    #expect(LoadError.refusedAddress.code == .blockedByPolicy)
  }

  @Test func tooManyRedirectsHaveNoDomain() {
    let nameless = GLibError(domain: "", code: 0, message: "m")
    #expect(LoadError(nameless, redirects: 20, url: "http://a.test/").code == .tooManyRedirects)
    #expect(LoadError(nameless, redirects: 1, url: "https://a.test/").code == .other)
  }
}
