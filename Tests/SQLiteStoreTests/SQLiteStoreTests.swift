import Foundation
import Testing
import WebViewCore

@testable import SQLiteStore

@Suite struct DataDirectory {
  private let temporary: TemporaryDirectory
  private var directory: String { temporary.path + "/data" }

  init() throws { temporary = try TemporaryDirectory() }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func isMadeForItsOwnerOnly() async throws {
    let store = try await SQLiteStore.open(directory: directory)
    #expect(try permissions(directory) == 0o700)
    let profile = try await store.profiles.directory(ofProfile: "default")
    #expect(profile == directory + "/profiles/default")
    #expect(try permissions(profile) == 0o700)
  }

  @Test func aSecondServerIsRefusedAndToldTheHolder() async throws {
    let first = try await SQLiteStore.open(directory: directory)
    let error = await #expect(throws: ServiceError.self) { try await SQLiteStore.open(directory: directory) }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("process \(getpid())") == true)
    #expect(error?.message.contains("--data-dir") == true)
    _ = first
  }

  @Test func theLockEndsWithItsHolder() async throws {
    var first: SQLiteStore? = try await SQLiteStore.open(directory: directory)
    _ = first
    first = nil
    _ = try await SQLiteStore.open(directory: directory)
  }

  @Test func aLockFileLeftBehindIsNoLock() async throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data("1\n".utf8).write(to: URL(fileURLWithPath: directory + "/lock"))
    _ = try await SQLiteStore.open(directory: directory)
  }

  @Test func aPathThatIsAFileIsNamed() async throws {
    try Data().write(to: URL(fileURLWithPath: directory))
    let error = await #expect(throws: ServiceError.self) { try await SQLiteStore.open(directory: directory) }
    #expect(error?.message.contains(directory) == true)
  }

  @Test func aDamagedDatabaseIsNamedWithTheRemedy() async throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = directory + "/" + SQLiteStore.fileName
    try Data(repeating: 0x55, count: 8_192).write(to: URL(fileURLWithPath: path))
    let error = await #expect(throws: ServiceError.self) { try await SQLiteStore.open(directory: directory) }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("\(path) is damaged") == true)
    #expect(error?.message.contains("\n") == false)
  }

  @Test func aNewerSchemaIsRefused() async throws {
    let newest = Migration.all.count
    let future = Migration(number: newest + 1, name: "future", sql: "CREATE TABLE future (x INTEGER)")
    do {
      _ = try await SQLiteStore.open(directory: directory)
      let database = try Database(path: directory + "/" + SQLiteStore.fileName)
      try await database.migrate(Migration.all + [future])
    }
    let error = await #expect(throws: ServiceError.self) { try await SQLiteStore.open(directory: directory) }
    #expect(error?.message.contains("schema version \(newest + 1)") == true)
    #expect(error?.message.contains("newer webview-server") == true)
  }
}

@Suite struct Profiles {
  private func recorded(in directory: String) async throws -> [String] {
    let database = try Database(path: directory + "/" + SQLiteStore.fileName)
    return try await database.rows("SELECT name FROM profiles ORDER BY name") { $0.text(0) ?? "" }
  }

  @Test func areRememberedAcrossOpenings() async throws {
    let temporary = try TemporaryDirectory()
    do {
      let store = try await SQLiteStore.open(directory: temporary.path)
      _ = try await store.profiles.directory(ofProfile: "default")
      _ = try await store.profiles.directory(ofProfile: "shop-1")
      _ = try await store.profiles.directory(ofProfile: "default")
    }
    #expect(try await recorded(in: temporary.path) == ["default", "shop-1"])
  }

  @Test(arguments: ["", ".", "..", "../x", "a/b", "-a", "_a", "a b", "é", String(repeating: "a", count: 65)])
  func withNamesThatAreNoPathSegmentAreRefused(name: String) async throws {
    let temporary = try TemporaryDirectory()
    let store = try await SQLiteStore.open(directory: temporary.path)
    let error = await #expect(throws: ServiceError.self) {
      try await store.profiles.directory(ofProfile: name)
    }
    #expect(error?.code == .invalidArgument)
    #expect(try await recorded(in: temporary.path).isEmpty)
  }
}
