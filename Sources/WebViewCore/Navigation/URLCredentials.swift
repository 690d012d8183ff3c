import Foundation

extension String {
  /// The URL without the user name and the password that it carries. They open the site's door once it is asked;
  /// whoever is told of the page needs neither.
  public var withoutCredentials: String {
    guard let userinfo else { return self }
    return String(self[..<userinfo.lowerBound]) + self[utf8.index(after: userinfo.upperBound)...]
  }

  /// What the URL carries, decoded; what is no encoding stays as it is written.
  public var credentials: (user: String, password: String)? {
    guard let userinfo else { return nil }
    let parts = self[userinfo].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
      $0.removingPercentEncoding ?? String($0)
    }
    return (parts[0], parts.count > 1 ? parts[1] : "")
  }

  /// Up to the "@".
  private var userinfo: Range<String.Index>? {
    // Only a serialized URL of a hierarchical scheme has an authority.
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
      return nil
    }
    let start = utf8.index(colon, offsetBy: 3)
    let end = utf8[start...].firstIndex { "/?#".utf8.contains($0) } ?? utf8.endIndex
    return utf8[start..<end].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
  }
}
