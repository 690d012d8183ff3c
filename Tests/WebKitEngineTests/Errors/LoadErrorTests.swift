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
    ("WebKitPolicyError", 102, .cancelled), ("WebKitPolicyError", 103, .blockedByPolicy),
    ("WebKitPolicyError", 104, .blockedByContentRule),
    ("WebKitPolicyError", 100, .cannotShowMIMEType), ("unknown", 7, .other), ("", 0, .other),
  ]) func domainsAndCodesHaveOneMeaning(domain: String, code: Int, expected: LoadError.Code) {
    #expect(
      LoadError(GLibError(domain: domain, code: code, message: "m"), redirects: 0) == LoadError(expected, "m")
    )
  }

  @Test func tooManyRedirectsHaveNoDomain() {
    #expect(LoadError(GLibError(domain: "", code: 0, message: "m"), redirects: 20).code == .tooManyRedirects)
  }
}
