import Foundation
import WebViewCore

/// Which files a page may be given: only what lies below the files directory once links are resolved.
enum FileAccess {
  static func content(path: String, access: String?, root: String?) throws(ServiceError) -> LoadContent {
    guard let root, let realRoot = resolve(root) else {
      throw ServiceError(
        .forbidden, "No file can be loaded: the server was started without a files directory (--files-dir).")
    }
    let file = try inside(path, root: realRoot, member: "path")
    guard let access else { return .file(path: file, readAccess: file) }
    let readAccess = try inside(access, root: realRoot, member: "allowingReadAccessTo")
    guard file == readAccess || file.hasPrefix(readAccess == "/" ? "/" : readAccess + "/") else {
      throw ServiceError(
        .invalidArgument, "`/allowingReadAccessTo` must be the file itself or a directory that holds it.",
        details: ["pointer": "/allowingReadAccessTo"])
    }
    return .file(path: file, readAccess: readAccess)
  }

  /// A relative path counts from the root. A file that is not there keeps its own last name, so that the load
  /// can tell that it is missing; its directory must be inside.
  private static func inside(_ path: String, root: String, member: String) throws(ServiceError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw ServiceError(
        .invalidArgument, "`/\(member)` must be a path.", details: ["pointer": .string("/\(member)")])
    }
    let absolute = path.hasPrefix("/") ? path : root + "/" + path
    let real = resolve(absolute) ?? resolveMissing(absolute)
    guard let real, real == root || real.hasPrefix(root == "/" ? "/" : root + "/") else {
      throw ServiceError(
        .forbidden, "`/\(member)` is not below the server's files directory.",
        details: ["pointer": .string("/\(member)")])
    }
    return real
  }

  /// The nearest directory that exists, resolved, and the names after it; none of them may go up.
  private static func resolveMissing(_ path: String) -> String? {
    var names: [Substring] = []
    var rest = Substring(path)
    while let slash = rest.lastIndex(of: "/") {
      let name = rest[rest.index(after: slash)...]
      if name == ".." { return nil }
      if !name.isEmpty, name != "." { names.insert(name, at: 0) }
      rest = rest[..<slash]
      if let directory = resolve(rest.isEmpty ? "/" : String(rest)) {
        return ([directory == "/" ? "" : directory] + names.map { String($0) }).joined(separator: "/")
      }
    }
    return nil
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
