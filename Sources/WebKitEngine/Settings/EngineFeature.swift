import CWebKit
import GLibBridge
import WebViewCore

/// Something that WebKit's settings turn on and off by its identifier.
@PageActor
final class EngineFeature {
  private let pointer: OpaquePointer

  /// nil: this version of WebKit has no such feature.
  init?(_ identifier: String) {
    let all = webkit_settings_get_all_features()
    defer { webkit_feature_list_unref(all) }
    let features = (0..<webkit_feature_list_get_length(all)).lazy.compactMap {
      webkit_feature_list_get(all, $0)
    }
    guard let found = features.first(where: { string(webkit_feature_get_identifier($0)) == identifier })
    else { return nil }
    pointer = webkit_feature_ref(found)
  }

  isolated deinit { webkit_feature_unref(pointer) }

  func set(_ isOn: Bool, in settings: UnsafeMutablePointer<WebKitSettings>) {
    webkit_settings_set_feature_enabled(settings, pointer, isOn ? 1 : 0)
  }
}
