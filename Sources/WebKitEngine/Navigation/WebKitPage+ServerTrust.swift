import CWebKit
import Foundation
import GLibBridge
import WebViewCore

extension WebKitPage {
  var serverTrust: ServerTrust? {
    guard !isClosed, tracker.documentURL?.hasPrefix("https:") == true else { return nil }
    var own: UnsafeMutablePointer<GTlsCertificate>?
    var flags = GTlsCertificateFlags(rawValue: 0)
    guard webkit_web_view_get_tls_info(view, &own, &flags) != 0, let own else { return nil }
    return ServerTrust(own, flags)
  }
}

extension ServerTrust {
  /// - Parameter own: the server's; its issuers hang on it.
  init(_ own: UnsafeMutablePointer<GTlsCertificate>, _ flags: GTlsCertificateFlags) {
    let chain = sequence(first: own) { g_tls_certificate_get_issuer($0) }
    self.init(
      certificates: chain.prefix(Self.longestChain).compactMap(Self.text),
      subject: Self.taken(g_tls_certificate_get_subject_name(own)),
      issuer: Self.taken(g_tls_certificate_get_issuer_name(own)),
      notBefore: Self.date(g_tls_certificate_get_not_valid_before(own)),
      notAfter: Self.date(g_tls_certificate_get_not_valid_after(own)),
      faults: Fault.allCases.enumerated().filter {
        flags.rawValue & (1 << UInt32($0.offset)) != 0
      }
      .map(\.element))
  }

  /// What a server may send is its own to choose.
  private static let longestChain = 16

  /// PEM.
  private static func text(of certificate: UnsafeMutablePointer<GTlsCertificate>) -> String? {
    var value = GValue()
    g_value_init(&value, g_type_from_name("gchararray"))
    defer { g_value_unset(&value) }
    g_object_get_property(certificate.cast(), "certificate-pem", &value)
    return string(g_value_get_string(&value))
  }

  private static func taken(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    defer { g_free(text) }
    return string(text)
  }

  private static func date(_ date: OpaquePointer?) -> Date? {
    guard let date else { return nil }
    defer { g_date_time_unref(date) }
    return Date(timeIntervalSince1970: Double(g_date_time_to_unix(date)))
  }
}
