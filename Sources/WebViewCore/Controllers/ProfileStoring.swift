/// Where persistent profiles live. Implemented by `SQLiteStore`, in memory in `WebViewTesting`.
public protocol ProfileStoring: Sendable {
  /// The directory of a profile's website data, made (with a record of the profile) when it is not there.
  func directory(ofProfile name: String) async throws -> String
}
