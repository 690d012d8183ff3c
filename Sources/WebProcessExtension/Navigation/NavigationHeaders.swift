import CWebExtension
import WebProcessCore

extension ExtendedPage {
  /// False: the parameters are not those of this message.
  func receivedNavigationHeaders(_ parameters: OpaquePointer?) -> Bool {
    let given = Variant.read(parameters, as: PageMessage.navigationHeaders.type) { message in
      let fields = message.child(1) { list in
        list.children { field in
          HeaderField(name: field.child(0, \.string) ?? "", value: field.child(1, \.string) ?? "")
        }
      }
      return (url: message.child(0, \.string) ?? "", fields: fields ?? [])
    }
    guard let given else { return false }
    headedNavigation.give(GivenHeaders(given.fields), url: given.url)
    return true
  }

  func setNavigationHeaders(
    of request: UnsafeMutablePointer<WebKitURIRequest>, redirect: UnsafeMutablePointer<WebKitURIResponse>?
  ) {
    // Other schemes than HTTP's have no headers.
    guard headedNavigation.isThere, let headers = webkit_uri_request_get_http_headers(request),
      let url = text(webkit_uri_request_get_uri(request))
    else { return }
    func value(_ name: String) -> String? { text(soup_message_headers_get_one(headers, name)) }
    let seen = PageRequest(
      url: url, method: text(webkit_uri_request_get_http_method(request)) ?? "GET",
      destination: value("Sec-Fetch-Dest"),
      upgradesInsecureRequests: value("Upgrade-Insecure-Requests") != nil,
      redirectedFrom: redirect.flatMap { text(webkit_uri_response_get_uri($0)) },
      pageURL: text(webkit_web_page_get_uri(page)))
    guard let change = headedNavigation.willSend(seen, value: value) else { return }
    for name in change.remove { soup_message_headers_remove(headers, name) }
    for field in change.set { soup_message_headers_replace(headers, field.name, field.value) }
  }
}
