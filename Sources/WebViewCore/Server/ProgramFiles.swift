import Foundation

/// What comes with the program: where the build leaves it, or where an installation puts it.
public enum ProgramFiles {
  /// - Parameter folders: where to look for it, seen from the executable's folder.
  /// - Returns: a path without symbolic links.
  public static func path(of name: String, in folders: [String]) throws(ServiceError) -> String {
    let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let base = URL(fileURLWithPath: executable).deletingLastPathComponent().path
    let places = folders.map { URL(fileURLWithPath: "\(base)/\($0)/\(name)").standardizedFileURL.path }
    if let place = places.first(where: FileManager.default.fileExists), let path = resolved(place) {
      return path
    }
    throw ServiceError(
      .unavailable, "\(places[0]) is missing; an installation has it as \(places.last ?? "").")
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
