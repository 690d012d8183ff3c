import Foundation

/// Where `loadFile` may read: what lies below one directory, symbolic links resolved.
public struct FilesDirectory: Sendable, Equatable {
  /// Absolute, resolved, without a slash at the end (but for "/").
  public let root: String

  public init(root: String) throws(ServiceError) {
    var isDirectory: ObjCBool = false
    guard let real = Self.resolved(root),
      FileManager.default.fileExists(atPath: real, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { throw ServiceError(.invalidArgument, "\(root) is not a directory.") }
    self.root = real
  }

  /// What to load. Throws `forbidden` for what lies outside; a missing file is the load's own failure.
  /// Asks the file system: not on an actor of a loop.
  /// - Parameters:
  ///   - path: absolute, or relative to the directory.
  ///   - readAccess: a directory (or the file itself) that the page may read as well; nil: only the file.
  public func resolve(path: String, allowingReadAccessTo readAccess: String?) throws(ServiceError)
    -> LoadContent
  {
    let file = try place(path, parameter: "path")
    guard Self.isRegularOrMissing(file) else {
      throw ServiceError(
        .invalidArgument, "path names a file, not a directory, a pipe or a device.",
        details: ["pointer": "/path"])
    }
    guard let readAccess else { return .file(path: file, readAccess: file) }
    let access = try place(readAccess, parameter: "allowingReadAccessTo")
    guard file == access || file.hasPrefix(access == "/" ? access : access + "/") else {
      throw ServiceError(
        .invalidArgument, "allowingReadAccessTo is the file itself or a directory that holds it.",
        details: ["pointer": "/allowingReadAccessTo"])
    }
    if access != file { try Self.checkLinks(below: access) }
    return .file(path: file, readAccess: access)
  }

  /// How many entries of a directory are looked at before it counts as too large to be given to a page.
  static let entryLimit = 100_000

  /// The engine's rules see addresses, not where symbolic links lead: a directory that holds one which leads
  /// out of it is not given to a page.
  private static func checkLinks(below directory: String) throws(ServiceError) {
    let pointer: JSONObject = ["parameter": "allowingReadAccessTo"]
    guard let entries = FileManager.default.enumerator(atPath: directory) else { return }
    var count = 0
    while let entry = entries.nextObject() as? String {
      count += 1
      guard count <= entryLimit else {
        throw ServiceError(
          .forbidden, "allowingReadAccessTo holds more than \(entryLimit) files: name a smaller directory.",
          details: pointer)
      }
      guard entries.fileAttributes?[.type] as? FileAttributeType == .typeSymbolicLink,
        let target = resolved(directory + "/" + entry), target != directory,
        !target.hasPrefix(directory == "/" ? directory : directory + "/")
      else { continue }
      throw ServiceError(
        .forbidden,
        "allowingReadAccessTo holds the symbolic link \(entry), which leads out of it: remove it, or name "
          + "another directory.", details: pointer)
    }
  }

  /// What is neither is nothing to load: a pipe would hold the load up for ever.
  private static func isRegularOrMissing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// The path of a file: URL; nil for one of another host.
  public static func path(ofFileURL text: String) -> String? {
    let bare = text.prefix { $0 != "?" && $0 != "#" }
    for prefix in ["file:///", "file://localhost/"] where bare.lowercased().hasPrefix(prefix) {
      return ("/" + bare.dropFirst(prefix.count)).removingPercentEncoding
    }
    return nil
  }

  private func place(_ given: String, parameter: String) throws(ServiceError) -> String {
    guard !given.isEmpty, !given.utf8.contains(0) else {
      throw ServiceError(
        .invalidArgument, "\(parameter) is a path without NUL, and not empty.",
        details: ["pointer": .string("/" + parameter)])
    }
    let absolute = given.hasPrefix("/") ? given : root + "/" + given
    let real = Self.resolvedAsFarAsThere(absolute)
    guard real == root || root == "/" || real.hasPrefix(root + "/") else {
      throw ServiceError(
        .forbidden, "\(parameter) is outside the files directory.", details: ["parameter": .string(parameter)]
      )
    }
    return real
  }

  /// A missing file is judged by the nearest directory that exists.
  private static func resolvedAsFarAsThere(_ absolute: String) -> String {
    if let real = resolved(absolute) { return real }
    var there = absolute.split(separator: "/").map(String.init)
    var missing: [String] = []
    while let last = there.popLast() {
      missing.insert(last, at: 0)
      guard let real = resolved("/" + there.joined(separator: "/")) else { continue }
      return normalized((real == "/" ? "" : real) + "/" + missing.joined(separator: "/"))
    }
    return normalized(absolute)
  }

  /// Folds `.` and `..` of names that do not exist.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
