import Foundation

/// Files that only the server's own user should read.
enum SecretFile {
  /// Something to tell whoever runs the server, when everybody can.
  static func warning(_ path: String, _ kind: String) -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o004 != 0 else { return nil }
    return "every user of this machine can read the \(kind) \(path); chmod o-r it"
  }
}
