import CWebExtension

/// Called by WebKit once in each web process.
@_cdecl("webkit_web_extension_initialize_with_user_data")
public func initialize(_ webExtension: UnsafeMutablePointer<WebKitWebExtension>?, _ userData: OpaquePointer?)
{
  guard let webExtension else { return }
  ExtendedProcess.attach(to: webExtension, userData)
  webview_on_page_created(webExtension) { webExtension, page, _ in
    guard let webExtension, let page else { return }
    let process = ExtendedProcess.of(webExtension)
    process?.tell(of: page, in: webExtension)
    ExtendedPage.attach(to: page, owedEntry: process?.takeOwedEntry())
  }
  webview_on_window_object_cleared(webkit_script_world_get_default()) { _, page, frame, _ in
    guard let page, let frame, webkit_frame_is_main_frame(frame) != 0 else { return }
    ExtendedPage.of(page)?.documentBegan(frame)
  }
}
