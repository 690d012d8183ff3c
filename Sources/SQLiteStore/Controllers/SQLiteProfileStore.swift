import WebViewCore

/// Profiles as rows of the database, each with a directory for the engine's website data.
public final class SQLiteProfileStore: ProfileStoring {
  private let directory: String
  private let database: Database

  init(directory: String, database: Database) {
    self.directory = directory
    self.database = database
  }

  public func directory(ofProfile name: String) async throws -> String {
    // The name becomes part of a path.
    guard Self.isValid(name) else {
      throw ServiceError(
        .invalidArgument,
        "A profile's name is 1 to 64 of the letters A-Z and a-z, digits, _ and -, and begins with a letter or digit.",
        details: ["parameter": "profile"])
    }
    do {
      try await database.run("INSERT INTO profiles (name) VALUES (?) ON CONFLICT (name) DO NOTHING", name)
    } catch let error as SQLiteError {
      throw ServiceError(.unavailable, "The profile \(name) cannot be recorded: \(error).")
    }
    let path = directory + "/" + name
    try await database.perform { try Directory.make(path) }
    return path
  }

  private static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
    return isAlphanumeric(first)
      && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return true
    default: return false
    }
  }
}
