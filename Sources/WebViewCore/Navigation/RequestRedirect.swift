import Foundation
import WebProcessCore

extension LoadRequest {
  /// As many as the engine follows itself.
  public static let maximumRedirects = 20

  public static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// The request that a redirect makes of this one: the Fetch Standard's HTTP-redirect fetch.
  /// - Parameter url: where it leads, serialized.
  public func redirected(to url: String, status: Int) -> LoadRequest {
    var next = self
    next.url = url.contains("#") ? url : url + self.url.drop { $0 != "#" }
    let becomesGET =
      status == 303 ? !["GET", "HEAD"].contains(method) : [301, 302].contains(status) && method == "POST"
    if becomesGET {
      next.method = "GET"
      next.body = nil
    }
    next.headers = headers.following(redirectFrom: self.url, to: url, keepsMethod: !becomesGET)
    if next.body != nil, next[header: "Content-Type"] == nil, let type = self[header: "Content-Type"] {
      // The body goes on, and so does what says how to read it.
      next.headers.append(Header(name: "Content-Type", value: type))
    }
    if url.origin != self.url.origin {
      // What a browser says of such a request, and servers that guard themselves ask for.
      next.headers.append(Header(name: "Sec-Fetch-Site", value: "cross-site"))
      if !["GET", "HEAD"].contains(next.method) {
        next.headers.append(Header(name: "Origin", value: "null"))
      }
    }
    return next
  }

  /// The Fetch Standard's bad ports, which the engine refuses as well: what listens there may take the bytes of
  /// a request for its own language.
  public var isPortBlocked: Bool {
    guard let port = URL(string: url)?.port else { return false }
    return Self.badPorts.contains(port)
  }

  private static let badPorts: Set = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526,
    530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190,
    5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ]
}
