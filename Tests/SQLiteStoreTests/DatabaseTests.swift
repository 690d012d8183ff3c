import CSQLite
import Foundation
import Testing
import WebViewCore

@testable import SQLiteStore

/// A connection that sets nothing: what it sees is in the file, for everybody.
private final class PlainConnection {
  private var connection: OpaquePointer?

  init(_ path: String) throws {
    let result = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    try #require(result == SQLITE_OK)
  }
  deinit { sqlite3_close_v2(connection) }

  /// The first column of each row.
  @discardableResult
  func values(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var values: [String] = []
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return values }
      try #require(result == SQLITE_ROW)
      values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct Databases {
  private let temporary: TemporaryDirectory
  private var path: String { temporary.path + "/test.sqlite" }
  private var log: String { path + "-wal" }

  init() throws { temporary = try TemporaryDirectory() }

  private func size(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
  }

  @Test func keepAWriteAheadLog() async throws {
    do {
      let database = try Database(path: path)
      try await database.script("CREATE TABLE numbers (x INTEGER); INSERT INTO numbers VALUES (1)")
      #expect(try PlainConnection(path).values("PRAGMA journal_mode") == ["wal"])
      #expect(try #require(size(log)) > 0)
      #expect(try await database.rows("PRAGMA synchronous") { $0.int(0) } == [1], "NORMAL")
    }
    #expect(size(log) == nil, "the last to close puts it into the file")
    #expect(try PlainConnection(path).values("SELECT x FROM numbers") == ["1"])
  }

  @Test func ofAnotherModeAreSwitched() async throws {
    do {
      let plain = try PlainConnection(path)
      try plain.values("CREATE TABLE numbers (x INTEGER)")
      #expect(try plain.values("PRAGMA journal_mode") == ["delete"])
    }
    _ = try Database(path: path)
    #expect(try PlainConnection(path).values("PRAGMA journal_mode") == ["wal"])
  }

  @Test func areReadWhileTheyAreWritten() async throws {
    let database = try Database(path: path)
    try await database.script("CREATE TABLE numbers (x INTEGER); INSERT INTO numbers VALUES (1)")
    let reader = try PlainConnection(path)
    try reader.values("BEGIN")
    #expect(try reader.values("SELECT count(*) FROM numbers") == ["1"])
    try await database.run("INSERT INTO numbers VALUES (2)")
    #expect(try reader.values("SELECT count(*) FROM numbers") == ["1"], "what there was when it began")
    try reader.values("COMMIT")
    #expect(try reader.values("SELECT count(*) FROM numbers") == ["2"])
  }

  @Test func keepWhatWasCommittedWhenTheirWriterIsKilled() async throws {
    let names = (0..<50).map { "committed-\($0)" }
    await #expect(processExitsWith: .signal(SIGKILL)) { [directory = temporary.path as String] in
      let store = try await SQLiteStore.open(directory: directory)
      for number in 0..<50 { _ = try await store.profiles.directory(ofProfile: "committed-\(number)") }
      let database = try Database(path: directory + "/" + SQLiteStore.fileName)
      try await database.transaction { database in
        let filler = String(repeating: "x", count: 200)
        for number in 0..<20_000 {
          try database.run("INSERT INTO profiles (name) VALUES (?)", "lost-\(number)-\(filler)")
        }
        kill(getpid(), SIGKILL)
      }
    }
    let file = temporary.path + "/" + SQLiteStore.fileName
    // More than the cache holds: the half-done transaction was on the disk.
    #expect(try #require(size(file + "-wal")) > 2 << 20)
    _ = try await SQLiteStore.open(directory: temporary.path)
    let plain = try PlainConnection(file)
    #expect(Set(try plain.values("SELECT name FROM profiles")) == Set(names))
    #expect(try plain.values("PRAGMA integrity_check") == ["ok"])
  }
}
