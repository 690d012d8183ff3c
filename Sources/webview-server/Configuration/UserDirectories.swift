import Foundation
import WebViewCore

/// Where things go when no option says so.
enum UserDirectories {
  /// The default of `--data-dir`.
  static func data(environment: [String: String]) throws(UsageError) -> String {
    if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") { return base + "/webview-server" }
    if let home = home(environment: environment) { return home + "/.local/share/webview-server" }
    throw UsageError("there is no home directory to keep data in: give --data-dir DIR")
  }

  private static func home(environment: [String: String]) -> String? {
    if let home = environment["HOME"], home.hasPrefix("/") { return home }
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
    let path = String(cString: home)
    // Service accounts have homes such as /nonexistent or /.
    return path.hasPrefix("/") && path != "/" && access(path, W_OK) == 0 ? path : nil
  }

  /// GLib and WebKit look for a home and a runtime directory; a service or a container may have neither.
  static func complete(environment: [String: String], dataDirectory: String) throws(UsageError) {
    if !isUsable(environment["HOME"]) { setenv("HOME", dataDirectory, 1) }
    if !isUsable(environment["XDG_RUNTIME_DIR"]) {
      let path = dataDirectory + "/run"
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        // Foundation's text leaves the reason out; trying again tells it.
        _ = mkdir(path, 0o700)
        throw UsageError("cannot make the directory \(path): \(String(cString: strerror(errno)))")
      }
      setenv("XDG_RUNTIME_DIR", path, 1)
    }
  }

  private static func isUsable(_ path: String?) -> Bool {
    guard let path, path.hasPrefix("/") else { return false }
    return access(path, W_OK | X_OK) == 0
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// `--files-dir` with its links resolved, so that paths below it can be compared.
  static func files(_ path: String) throws(UsageError) -> String {
    guard let resolved = realpath(path, nil) else {
      throw UsageError("--files-dir: \(path) cannot be used: \(String(cString: strerror(errno)))")
    }
    defer { free(resolved) }
    var isDirectory: ObjCBool = false
    let real = String(cString: resolved)
    guard FileManager.default.fileExists(atPath: real, isDirectory: &isDirectory), isDirectory.boolValue
    else {
      throw UsageError("--files-dir: \(path) is not a directory")
    }
    return real
  }
}
