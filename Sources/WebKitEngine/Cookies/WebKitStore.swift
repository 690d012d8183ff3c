import CWebKit
import GLibBridge
import Glibc
import WebViewCore

/// Cookies, site data and the network process of the pages in it. The last reference to an ephemeral one ends it.
@PageActor
final class WebKitStore: EngineStore {
  let isEphemeral: Bool
  let dataManager: UnsafeMutablePointer<WebKitWebsiteDataManager>
  private let cookieManager: UnsafeMutablePointer<WebKitCookieManager>
  private let loop: LoopExecutor

  convenience init(ephemeralIn engine: WebKitEngine) {
    self.init(manager: webkit_website_data_manager_new_ephemeral(), engine: engine)
  }

  convenience init(directory: String, in engine: WebKitEngine) throws {
    let cookies = directory + "/cookies.sqlite"
    // SQLite would make the file readable for everybody that the umask lets in.
    let file = open(cookies, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw ServiceError(
        .unavailable, "The profile's directory \(directory) cannot be written to.",
        details: ["reason": "storage"])
    }
    fchmod(file, 0o600)
    close(file)
    self.init(manager: webview_website_data_manager_new(directory, directory + "/cache"), engine: engine)
    webkit_cookie_manager_set_persistent_storage(
      cookieManager, cookies, WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
  }

  private init(manager: UnsafeMutablePointer<WebKitWebsiteDataManager>?, engine: WebKitEngine) {
    dataManager = manager!
    loop = engine.loop
    isEphemeral = webkit_website_data_manager_is_ephemeral(dataManager) != 0
    cookieManager = webkit_website_data_manager_get_cookie_manager(dataManager)!
  }

  isolated deinit {
    g_object_unref(dataManager.raw)
  }

  func cookies() async throws -> [Cookie] {
    let manager = OneThread(cookieManager)
    return try await translated {
      try await awaitResult {
        webkit_cookie_manager_get_all_cookies(manager.value, $0, $1, $2)
      } finish: { result, error in
        self.outliveThisTurn()
        let list = webkit_cookie_manager_get_all_cookies_finish(manager.value, result, &error)
        return SoupCookies.consume(list)
      }
    }
  }

  func cookies(for url: String) async throws -> [Cookie] {
    let manager = OneThread(cookieManager)
    return try await translated {
      try await awaitResult {
        webkit_cookie_manager_get_cookies(manager.value, url, $0, $1, $2)
      } finish: { result, error in
        self.outliveThisTurn()
        let list = webkit_cookie_manager_get_cookies_finish(manager.value, result, &error)
        return SoupCookies.consume(list)
      }
    }
  }

  func add(_ cookie: Cookie) async throws {
    let manager = OneThread(cookieManager)
    try await translated {
      try await awaitResult { cancellable, callback, data in
        let soup = SoupCookies.make(cookie)
        defer { soup_cookie_free(soup) }
        webkit_cookie_manager_add_cookie(manager.value, soup, cancellable, callback, data)
      } finish: { result, error -> Void? in
        self.outliveThisTurn()
        return webkit_cookie_manager_add_cookie_finish(manager.value, result, &error) != 0 ? () : nil
      }
    }
  }

  func delete(_ cookie: Cookie) async throws {
    let manager = OneThread(cookieManager)
    try await translated {
      try await awaitResult { cancellable, callback, data in
        let soup = SoupCookies.make(cookie)
        defer { soup_cookie_free(soup) }
        webkit_cookie_manager_delete_cookie(manager.value, soup, cancellable, callback, data)
      } finish: { result, error -> Void? in
        self.outliveThisTurn()
        return webkit_cookie_manager_delete_cookie_finish(manager.value, result, &error) != 0 ? () : nil
      }
    }
  }

  /// WebKit's cookie manager cannot be finalized after the data manager, which it uses without holding it, and each
  /// operation holds the cookie manager until its completion has returned: to be called in every completion, also that
  /// of a caller who left.
  private nonisolated func outliveThisTurn() { loop.later { _ = self } }

  /// The engine's errors do not cross the target's border.
  private func translated<Value: Sendable>(_ body: @PageActor () async throws -> Value) async throws -> Value
  {
    do {
      return try await body()
    } catch let error as GLibError {
      throw ServiceError(.internalError, "The engine's cookie store failed: \(error)")
    }
  }
}
