/// The navigations that were asked for last, of frames as well, and who asked for them: when one of the page's own
/// starts, WebKit does not tell which of them it is.
struct NavigationActions {
  private static let kept = 16
  private var actions: [(url: String, isUserInitiated: Bool)] = []

  mutating func note(_ url: String, isUserInitiated: Bool) {
    actions.append((url, isUserInitiated))
    if actions.count > Self.kept { actions.removeFirst() }
  }

  func wasUserInitiated(_ url: String) -> Bool {
    actions.last { $0.url == url }?.isUserInitiated ?? false
  }
}
