import Foundation
import WebProcessCore

/// One per controller and navigation, in order of start.
public struct NavigationID: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let number: Int
  public init(number: Int) { self.number = number }
  public var description: String { "n\(number)" }
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

public enum NavigationOutcome: String, CaseIterable, Sendable {
  case finished, sameDocument, failed, cancelled, replaced, stopped, noContent, download
  case processTerminated, disposed

  /// The seed's boolean: is the document that was asked for there?
  public var isLoaded: Bool { self == .finished || self == .sameDocument }
}

/// What is known of a navigation; `outcome` is nil while it runs.
public struct Navigation: Sendable, Equatable {
  public struct Redirect: Sendable, Equatable {
    public enum Kind: String, Sendable { case http, client }
    public var url: String
    public var status: Int?
    public var kind: Kind
    public init(url: String, status: Int?, kind: Kind) {
      self.url = url
      self.status = status
      self.kind = kind
    }
  }
  /// Seconds from `startedAt`.
  public struct Timings: Sendable, Equatable {
    public var commit: Double?
    public var domContentLoaded: Double?
    public var finish: Double?
    public init() {}
  }
  public var id: NavigationID
  public var url: String
  public var outcome: NavigationOutcome?
  public var response: MainResourceResponse?
  public var redirects: [Redirect] = []
  /// The one whose document went here by itself.
  public var clientRedirectOf: NavigationID?
  public var error: LoadError?
  public var startedAt: Date
  public var timings = Timings()

  public init(id: NavigationID, url: String, startedAt: Date) {
    self.id = id
    self.url = url
    self.startedAt = startedAt
  }

  /// Whether it came that far, whatever became of it since.
  func came(to event: LoadWait) -> Bool {
    if outcome?.isLoaded == true { return true }
    return switch event {
    case .none: true
    case .commit: timings.commit != nil
    case .domContentLoaded: timings.domContentLoaded != nil
    case .load: false
    }
  }
}

/// The response of a document's main resource.
public struct MainResourceResponse: Sendable, Equatable {
  public var url: String
  /// nil when there was no HTTP.
  public var status: Int?
  public var headers: [Header]
  public var mimeType: String?
  public var encoding: String?
  public typealias Header = HeaderField
  /// What is shown stays: there is nothing else, or it is what the asker has.
  public var hasNoDocument: Bool { status.map { [204, 205, 304].contains($0) } ?? false }
  public init(url: String, status: Int?, headers: [Header], mimeType: String?, encoding: String?) {
    self.url = url
    self.status = status
    self.headers = headers
    self.mimeType = mimeType
    self.encoding = encoding
  }
}

/// What a load operation answers.
public struct LoadResult: Sendable, Equatable {
  /// False when there was nothing to do: no history entry, nothing loaded yet.
  public var accepted: Bool
  public var navigation: Navigation?
  public var isLoaded: Bool { navigation?.outcome?.isLoaded ?? false }
  public init(accepted: Bool, navigation: Navigation?) {
    self.accepted = accepted
    self.navigation = navigation
  }
  /// - Parameter hops: what led to this navigation, before its own redirects.
  init(accepted: Bool, navigation: Navigation?, after hops: [Navigation.Redirect]) {
    self.init(accepted: accepted, navigation: navigation)
    self.navigation?.redirects.insert(contentsOf: hops, at: 0)
  }
}

/// What a load waits for.
public enum LoadWait: String, CaseIterable, Sendable { case none, commit, domContentLoaded, load }

/// What can be loaded.
public enum LoadContent: Sendable, Equatable {
  case url(String)
  case html(String, baseURL: String?)
  case data([UInt8], mimeType: String, encoding: String, baseURL: String)
  /// Absolute paths, symbolic links resolved, both inside the files directory.
  case file(path: String, readAccess: String)
  case request(LoadRequest)
  /// Without network: the document is the response's, and its URL the request's.
  case simulated(LoadRequest, SimulatedResponse)
}
