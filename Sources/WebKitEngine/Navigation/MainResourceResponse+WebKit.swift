import CWebKit
import GLibBridge
import WebViewCore

extension MainResourceResponse {
  init(_ response: UnsafeMutablePointer<WebKitURIResponse>?) {
    let url = string(webkit_uri_response_get_uri(response)) ?? ""
    let isHTTP = url.hasPrefix("http:") || url.hasPrefix("https:")
    let status = Int(webkit_uri_response_get_status_code(response))
    let headers = isHTTP ? Self.headers(webkit_uri_response_get_http_headers(response)) : []
    let mimeType = string(webkit_uri_response_get_mime_type(response))
    self.init(
      url: url, status: isHTTP && status > 0 ? status : nil, headers: headers,
      mimeType: mimeType?.isEmpty == false ? mimeType : nil,
      encoding: headers.value(of: "Content-Type").flatMap { ContentType($0)?.charset })
  }

  static func headers(_ headers: OpaquePointer?) -> [Header] {
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
}
