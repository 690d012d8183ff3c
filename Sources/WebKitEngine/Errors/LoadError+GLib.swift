import GLibBridge
import WebViewCore

extension GLibError {
  /// WebKit gave up a load: somebody stopped it, or another one is to take its place.
  var isInterruption: Bool {
    switch domain {
    case "WebKitNetworkError", "WebKitErrorDomain": code == 302
    // Between its response and its document.
    case "WebKitPolicyError": code == 102
    default: false
    }
  }
}

extension LoadError {
  /// Domains and codes as WebKitGTK 2.50 reports them in `load-failed`, with what they mean to a client.
  private static let table: [String: [Int: Code]] = [
    "g-resolver-error-quark": [0: .cannotFindHost, 1: .cannotFindHost, 2: .cannotFindHost],
    "g-io-error-quark": [
      1: .fileNotFound, 4: .fileNotFound, 14: .blockedByPolicy, 24: .timedOut, 26: .cannotConnect,
      34: .connectionLost, 36: .cannotConnect, 38: .cannotConnect, 39: .cannotConnect, 44: .connectionLost,
    ],
    "g-tls-error-quark": [
      0: .tlsError, 1: .tlsError, 2: .tlsError, 3: .tlsError, 4: .tlsError, 5: .tlsError, 6: .tlsError,
      7: .tlsError, 8: .tlsError,
    ],
    "WebKitNetworkError": [
      300: .connectionLost, 301: .unsupportedURL, 302: .cancelled, 303: .fileNotFound, 399: .other,
    ],
    "WebKitErrorDomain": [300: .connectionLost, 301: .unsupportedURL, 302: .cancelled, 303: .fileNotFound],
    "WebKitPolicyError": [
      100: .cannotShowMIMEType, 101: .unsupportedURL, 102: .cancelled, 104: .blockedByContentRule,
      199: .other,
    ],
  ]
  /// What WebKit calls a restricted port, whatever it refuses of an address.
  private static let restricted = 103

  static let refusedAddress = LoadError(.blockedByPolicy, "The engine refuses to load this address.")

  /// - Parameter url: what could not be loaded.
  init(_ error: GLibError, redirects: Int = 0, url: String = "") {
    if error.domain == "WebKitPolicyError", error.code == Self.restricted {
      self = .refusedAddress
    } else if let code = Self.table[error.domain]?[error.code] {
      self.init(code, error.message)
    } else if error.domain.hasPrefix("g-tls") {
      self.init(.tlsError, error.message)
    } else if error.domain.isEmpty, redirects >= LoadRequest.maximumRedirects {
      // After so many WebKit fails with an error that has no domain; with such a one it also refuses to be led to
      // another scheme than HTTP's.
      self.init(.tooManyRedirects, error.message)
    } else if error.domain.isEmpty, redirects > 0, !url.hasPrefix("http:"), !url.hasPrefix("https:") {
      self = .refusedAddress
    } else {
      self.init(.other, error.message)
    }
  }
}
