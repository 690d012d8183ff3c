/// Which files the documents of a page's history were allowed to read, by their address without query and fragment.
struct FileHistory {
  /// More than WebKit keeps of a page's history.
  private static let limit = 128

  private var entries: [(url: String, scope: FileScopes.Scope)] = []

  mutating func remember(_ scope: FileScopes.Scope, for url: String) {
    let url = Self.key(url)
    entries.removeAll { $0.url == url }
    entries.append((url, scope))
    if entries.count > Self.limit { entries.removeFirst() }
  }

  func scope(of url: String?) -> FileScopes.Scope {
    guard let url = url.map(Self.key) else { return .none }
    return entries.last { $0.url == url }?.scope ?? .none
  }

  private static func key(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }
}
