import Synchronization
import WebViewCore

/// Profiles that exist by name only.
public final class InMemoryProfileStore: ProfileStoring {
  private let names = Mutex<[String]>([])
  public init() {}

  /// In order of asking, each time.
  public var asked: [String] { names.withLock { $0 } }

  public func directory(ofProfile name: String) async throws -> String {
    names.withLock { $0.append(name) }
    return "/profiles/\(name)"
  }
}
