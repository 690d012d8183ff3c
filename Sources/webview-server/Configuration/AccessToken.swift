import Foundation
import WebViewCore

/// The bearer token, read from where it was put.
struct AccessToken: Sendable {
  let text: String?
  /// Something to tell whoever runs the server.
  var warning: String?

  private static let maximumLength = 4_096

  init(_ source: TokenSource) throws(UsageError) {
    switch source {
    case .none:
      text = nil
    case .environment(let value):
      text = try Self.check(value, Option.tokenVariable)
    case .file(let path):
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw UsageError("--token-file: \(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      defer { try? handle.close() }
      let data: Data
      do { data = try handle.read(upToCount: Self.maximumLength + 2) ?? Data() } catch {
        throw UsageError("--token-file: \(path) cannot be read, it is no file with text")
      }
      text = try Self.check(String(decoding: data, as: UTF8.self), "--token-file: \(path)")
      warning = SecretFile.warning(path, "token file")
    }
  }

  /// A token goes into a header line: visible ASCII without spaces.
  private static func check(_ raw: String, _ name: String) throws(UsageError) -> String {
    let token = raw.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty else { throw UsageError("\(name) holds no token") }
    guard token.utf8.count <= maximumLength else {
      throw UsageError("\(name) holds more than \(maximumLength) bytes, which is no token")
    }
    guard token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw UsageError(
        "\(name) holds spaces, control characters or non-ASCII letters, which no token can have")
    }
    return token
  }
}
