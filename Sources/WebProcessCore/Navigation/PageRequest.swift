/// One request of a page, as WebKit shows it before it goes out.
public struct PageRequest: Equatable, Sendable {
  public enum Purpose: Sendable { case mainDocument, frameDocument, resource }

  public var url: String
  public var method: String
  /// Its header Sec-Fetch-Dest, which WebKit gives to https and to this machine only.
  public var destination: String?
  /// It has the header Upgrade-Insecure-Requests, which WebKit gives to plain http for documents only.
  public var upgradesInsecureRequests: Bool
  /// Of the response that led to it.
  public var redirectedFrom: String?
  /// What the page says of itself: from the start of a navigation of the main frame on that one's.
  public var pageURL: String?

  public init(
    url: String, method: String = "GET", destination: String? = nil, upgradesInsecureRequests: Bool = false,
    redirectedFrom: String? = nil, pageURL: String? = nil
  ) {
    self.url = url
    self.method = method
    self.destination = destination
    self.upgradesInsecureRequests = upgradesInsecureRequests
    self.redirectedFrom = redirectedFrom
    self.pageURL = pageURL
  }

  /// What it is for; WebKit shows no frame.
  /// - Parameter isOfMainDocument: whether a URL is one that the main document's request went to, for those
  ///   that redirects led on: the page's own URL follows only when they have arrived.
  public func purpose(isOfMainDocument: (String) -> Bool) -> Purpose {
    switch destination {
    case "document": return .mainDocument
    case "iframe", "frame", "object", "embed": return .frameDocument
    case .some: return .resource
    case nil: break
    }
    guard upgradesInsecureRequests else { return .resource }
    if let redirectedFrom { return isOfMainDocument(redirectedFrom) ? .mainDocument : .frameDocument }
    return Self.isSame(url, pageURL) ? .mainDocument : .frameDocument
  }

  /// But for the fragment, which is not sent.
  static func isSame(_ one: String, _ other: String?) -> Bool {
    guard let other else { return false }
    return one.withoutFragment == other.withoutFragment
  }
}
