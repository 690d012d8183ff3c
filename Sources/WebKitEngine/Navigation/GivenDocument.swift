import Foundation
import WebViewCore

/// A response with its bytes, fetched or simulated, to be shown under its URL.
struct GivenDocument {
  var response: MainResourceResponse
  var bytes: [UInt8]
  var serverTrust: ServerTrust?

  var url: String { response.url }
  var mimeType: String { response.mimeType ?? "text/html" }

  /// WebKit is given the bytes without their headers, of which the document would obey these.
  var contentSecurityPolicies: [String] {
    response.headers.values(of: "Content-Security-Policy")
      .flatMap { $0.split(separator: ",").map(String.init) }
      .filter { $0.contains { $0 != " " && $0 != "\t" } }
  }

  init(response: MainResourceResponse, bytes: [UInt8], serverTrust: ServerTrust?) {
    self.response = response
    self.bytes = bytes
    self.serverTrust = serverTrust
  }

  init(_ simulated: SimulatedResponse, url: String) {
    let type = simulated.headers.value(of: "Content-Type").flatMap { ContentType($0) }
    response = MainResourceResponse(
      url: url, status: simulated.statusCode, headers: simulated.headers.without("Set-Cookie"),
      mimeType: type?.mimeType, encoding: type?.charset)
    bytes = simulated.data
  }

  /// What a reload shows again: the same document as a response of its own.
  var kept: LoadContent {
    var headers = response.headers
    if headers.value(of: "Content-Type").flatMap({ ContentType($0) })?.mimeType != mimeType {
      let charset = response.encoding.map { "; charset=\($0)" } ?? ""
      headers = headers.without("Content-Type")
      headers.append(.init(name: "Content-Type", value: mimeType + charset))
    }
    return .simulated(
      LoadRequest(url: url),
      SimulatedResponse(
        statusCode: response.status ?? 200, headers: headers, data: bytes, serverTrust: serverTrust))
  }
}

extension MainResourceResponse {
  /// The site wants it saved. As in WebKit, a disposition that nobody knows is none. Of several
  /// the first one counts; WebKit tells them as one value.
  private var isAttachment: Bool {
    let type = headers.value(of: "Content-Disposition")?.prefix { $0 != ";" && $0 != "," }
    return type?.trimmingCharacters(in: .whitespaces).lowercased() == "attachment"
  }

  /// Why a response is not shown, of which the engine says whether it can show the type.
  func refusal(isTypeShown: Bool) -> LoadError? {
    // WebKit would show an empty document of whatever type the head names.
    if hasNoDocument { return .noDocument(self) }
    if isAttachment {
      return LoadError(.unsupported, "The response is an attachment, which would have to be downloaded.")
    }
    return isTypeShown ? nil : .cannotShow(mimeType ?? "unknown")
  }
}

extension LoadError {
  static func noDocument(_ response: MainResourceResponse) -> LoadError {
    LoadError(.cancelled, "The server answered \(response.status ?? 0): there is no document.")
  }
  static func cannotShow(_ type: String) -> LoadError {
    LoadError(.cannotShowMIMEType, "The type \(type) cannot be shown.")
  }
}
