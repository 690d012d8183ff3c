import CWebKit
import WebViewCore

extension WebKitPage {
  var settings: WebViewSettings { currentSettings }

  func apply(_ patch: SettingsPatch) async {
    guard !isClosed else { return }
    if let userAgent = patch.customUserAgent {
      // NULL is the engine's own.
      webkit_settings_set_user_agent(engineSettings, userAgent)
      currentSettings.customUserAgent = userAgent
    }
    if let zoom = patch.pageZoom {
      webkit_web_view_set_zoom_level(view, zoom)
      currentSettings.pageZoom = zoom
    }
    if let viewport = patch.viewport {
      currentSettings.viewport = viewport
      await window.resize(to: viewport)
    }
  }
}
