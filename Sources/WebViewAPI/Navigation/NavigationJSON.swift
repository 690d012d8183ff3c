import WebViewCore

enum NavigationJSON {
  static func result(_ result: LoadResult) -> JSONObject {
    [
      "loaded": .bool(result.isLoaded), "accepted": .bool(result.accepted),
      "navigation": result.navigation.map { .object($0.json) } ?? .null,
    ]
  }
}
