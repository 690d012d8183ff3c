import Foundation

/// One web view as clients know it: the seed's WebViewController.
///
/// Every operation of a disposed controller throws `disposed`; every operation that needs the page's process
/// after it ended throws `webContentProcessTerminated` until the next load. Waits end at the deadline with
/// `timeout`, and at once when the task is cancelled.
@PageActor
public final class WebViewController {
  public nonisolated let id: ControllerID
  public nonisolated let label: String?
  public nonisolated let createdAt: Date
  /// What was supplied; `ephemeral` is always set.
  public nonisolated let options: ControllerOptions
  public nonisolated var node: String? { nil }

  init(id: ControllerID, label: String?, createdAt: Date, options: ControllerOptions) {
    self.id = id
    self.label = label
    self.createdAt = createdAt
    self.options = options
  }

  public var state: WebViewState { WebViewState() }
  public var isDisposed: Bool { state.isDisposed }
  /// Seconds since the last operation or channel use.
  public var idleTime: Double { 0 }
  public var processIdentifier: Int32? { nil }

  // MARK: Settings
  public func settings() throws(ServiceError) -> WebViewSettings { throw ServiceError(.unsupported, "") }
  public func setSettings(_ patch: SettingsPatch, deadline: Deadline) async throws -> WebViewSettings {
    throw ServiceError(.unsupported, "")
  }

  // MARK: Navigation
  /// With `wait: .none` it answers at once; `started` (used by channels) is called on the actor with the
  /// running navigation before any of its events is published.
  /// Throws `timeout` with `details.navigation` at the deadline.
  public func load(
    _ content: LoadContent, wait: LoadWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult { throw ServiceError(.unsupported, "") }
  public enum HistoryStep: Sendable { case reload, back, forward }
  public func navigate(
    _ step: HistoryStep, wait: LoadWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult { throw ServiceError(.unsupported, "") }
  /// The running navigation's result, the last one's when none runs, the first one's when none ever ran.
  public func waitForLoad(_ wait: LoadWait = .load, deadline: Deadline) async throws -> LoadResult {
    throw ServiceError(.unsupported, "")
  }
  public func stopLoading() throws(ServiceError) {}
  /// nil when there is no document: before the first load, after the process ended.
  public func html(deadline: Deadline) async throws -> String? { nil }

  // MARK: Scripts
  public func evaluate(_ call: JavaScriptCall, deadline: Deadline) async throws -> JavaScriptResult {
    throw ServiceError(.unsupported, "")
  }

  // MARK: Messages
  /// True when it is new; an existing one of that name and world is replaced and its pending replies cancelled.
  public func addMessageHandler(_ handler: MessageHandlerRegistration) throws(ServiceError) -> Bool { true }
  public func messageHandlers() throws(ServiceError) -> [MessageHandlerRegistration] { [] }
  /// Throws `notFound` with kind `messageHandler`.
  public func removeMessageHandler(name: String, contentWorld: ContentWorld) throws(ServiceError) {}

  // MARK: Cookies
  public func cookies(_ filter: CookieFilter, deadline: Deadline) async throws -> [Cookie] { [] }
  public func setCookies(_ cookies: [Cookie], deadline: Deadline) async throws -> [SetCookieResult] { [] }
  /// How many went.
  public func deleteCookies(_ filter: CookieFilter, deadline: Deadline) async throws -> Int { 0 }

  // MARK: Capture
  /// PNG bytes.
  public func snapshot(_ request: SnapshotRequest, deadline: Deadline) async throws -> [UInt8] {
    throw ServiceError(.unsupported, "")
  }

  // MARK: Use
  /// An open channel or running operation is use: idle time counts from the last `endUse`.
  public func beginUse() {}
  public func endUse() {}
}
