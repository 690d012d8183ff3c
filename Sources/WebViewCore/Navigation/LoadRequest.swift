/// A request for a document: what `URLRequest` is to WKWebView.
///
/// Headers and body belong to the request of this navigation: a redirect to another origin does not carry what may
/// be secret, and neither subresources nor later navigations carry any of it.
public struct LoadRequest: Sendable, Equatable {
  public typealias Header = MainResourceResponse.Header
  public static let defaultTimeoutInterval: Double = 60
  /// What a capability can name; any other token is a method as well.
  public static let commonMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  public var url: String
  public var method: String
  public var headers: [Header]
  public var body: [UInt8]?
  /// Seconds from the load's begin to its finish.
  public var timeoutInterval: Double
  public var cachePolicy: CachePolicy

  public init(
    url: String, method: String = "GET", headers: [Header] = [], body: [UInt8]? = nil,
    timeoutInterval: Double = defaultTimeoutInterval,
    cachePolicy: CachePolicy = .useProtocolCachePolicy
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeoutInterval = timeoutInterval
    self.cachePolicy = cachePolicy
  }

  public subscript(header name: String) -> String? { headers.value(of: name) }
}

/// What may answer in the site's place: Foundation's names.
public enum CachePolicy: String, CaseIterable, Sendable {
  case useProtocolCachePolicy, reloadIgnoringLocalCacheData, returnCacheDataElseLoad
  case returnCacheDataDontLoad, reloadRevalidatingCacheData, reloadIgnoringLocalAndRemoteCacheData

  /// The engine can neither be kept from asking the site nor be made to ask whether what it has still holds.
  public static let honoured: [CachePolicy] = [
    .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
    .reloadIgnoringLocalAndRemoteCacheData,
  ]
}

/// A response that WebKit did not get from a server.
public struct SimulatedResponse: Sendable, Equatable {
  public var statusCode: Int
  public var headers: [MainResourceResponse.Header]
  public var data: [UInt8]
  /// A server did give it after all, and proved who it is.
  public var serverTrust: ServerTrust?
  public init(
    statusCode: Int = 200, headers: [MainResourceResponse.Header], data: [UInt8],
    serverTrust: ServerTrust? = nil
  ) {
    self.statusCode = statusCode
    self.headers = headers
    self.data = data
    self.serverTrust = serverTrust
  }
}

extension [MainResourceResponse.Header] {
  /// The first one's, whatever the case of its name.
  public func value(of name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
  public func values(of name: String) -> [String] {
    filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
  /// Without those of that name.
  public func without(_ name: String) -> Self { filter { $0.name.lowercased() != name.lowercased() } }
}
