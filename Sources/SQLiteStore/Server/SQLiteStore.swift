import Foundation
import WebViewCore

/// The data directory of one server: locked, with its database open and up to date.
public final class SQLiteStore: Sendable {
  public let directory: String
  public let profiles: SQLiteProfileStore
  private let lock: DataDirectoryLock

  public static let fileName = "webview-server.sqlite"

  private init(directory: String, lock: DataDirectoryLock, database: Database) {
    self.directory = directory
    self.lock = lock
    profiles = SQLiteProfileStore(directory: directory + "/profiles", database: database)
  }

  /// Makes the directory where it is not there, takes its lock, opens and migrates the database.
  /// Every error's message is one line for the person who starts the server.
  public static func open(directory: String) async throws(ServiceError) -> SQLiteStore {
    try Directory.make(directory)
    let lock = try DataDirectoryLock(directory: directory)
    let path = directory + "/" + fileName
    do {
      let database = try Database(path: path)
      try await database.migrate()
      return SQLiteStore(directory: directory, lock: lock, database: database)
    } catch let error as SchemaTooNew {
      throw ServiceError(
        .unavailable,
        "The database \(path) has schema version \(error.found), this program knows up to \(error.known): "
          + "it was written by a newer webview-server. Run that version, or give --data-dir another directory."
      )
    } catch let error as SQLiteError where error.isDamage {
      throw ServiceError(
        .unavailable,
        "The database \(path) is damaged: \(error). Move it away to start with an empty one, or restore a copy."
      )
    } catch {
      throw ServiceError(.unavailable, "Cannot open the database \(path): \(error).")
    }
  }
}

/// Directories for the owner's eyes only.
enum Directory {
  static func make(_ path: String) throws(ServiceError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ServiceError(.unavailable, "Cannot make the directory \(path): \(reason(error)).")
    }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue
    else {
      throw ServiceError(.unavailable, "\(path) is not a directory.")
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw ServiceError(.unavailable, "The directory \(path) cannot be written to by this user.")
    }
  }

  private static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(underlying.code)))
  }
}
