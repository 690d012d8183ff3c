import CWebKit
import GLibBridge
import WebViewCore

extension MainResourceResponse {
  init(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    let url = string(webkit_uri_response_get_uri(response)) ?? ""
    let isHTTP = url.hasPrefix("http:") || url.hasPrefix("https:")
    let status = Int(webkit_uri_response_get_status_code(response))
    let headers = isHTTP ? Self.headers(webkit_uri_response_get_http_headers(response)) : []
    let type = headers.first { $0.name.lowercased() == "content-type" }?.value
    let mimeType = string(webkit_uri_response_get_mime_type(response))
    self.init(
      url: url, status: isHTTP && status > 0 ? status : nil, headers: headers,
      mimeType: mimeType?.isEmpty == false ? mimeType : nil, encoding: type.flatMap(Self.charset))
  }

  private static func headers(_ headers: OpaquePointer?) -> [Header] {
    guard let headers else { return [] }
    var iterator = SoupMessageHeadersIter()
    soup_message_headers_iter_init(&iterator, headers)
    var name: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    var list: [Header] = []
    while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
      list.append(Header(name: string(name) ?? "", value: string(value) ?? ""))
    }
    return list
  }

  private static func charset(ofContentType type: String) -> String? {
    for parameter in type.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
      return trimmed(parts[1].filter { $0 != "\"" })
    }
    return nil
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
