import CWebExtension

/// Called by WebKit once in each web process.
@_cdecl("webkit_web_extension_initialize_with_user_data")
public func initialize(_ webExtension: UnsafeMutablePointer<WebKitWebExtension>?, _ userData: OpaquePointer?)
{
  guard let webExtension else { return }
  webview_on_page_created(webExtension) { _, page, _ in
    if let page { ExtendedPage.attach(to: page) }
  }
}
