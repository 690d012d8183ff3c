import Testing

@testable import SQLiteStore

@Suite struct Migrations {
  private let temporary: TemporaryDirectory
  private var path: String { temporary.path + "/test.sqlite" }
  private let steps = [
    Migration(number: 1, name: "one", sql: "CREATE TABLE one (x INTEGER); INSERT INTO one VALUES (1);"),
    Migration(number: 2, name: "two", sql: "INSERT INTO one VALUES (2);"),
  ]

  init() throws { temporary = try TemporaryDirectory() }

  private func numbers(_ database: Database) async throws -> [Int] {
    try await database.rows("SELECT number FROM migrations ORDER BY number") { $0.int(0) }
  }

  @Test func ofTheProgramAreNumberedWithoutGaps() {
    #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
  }

  @Test(arguments: 0...2)
  func runOnceAndInOrderFromEveryOlderVersion(version: Int) async throws {
    do {
      let older = try Database(path: path)
      try await older.migrate(Array(steps.prefix(version)))
      #expect(try await numbers(older) == Array(1..<(version + 1)))
    }
    for _ in 0..<2 {
      let database = try Database(path: path)
      try await database.migrate(steps)
      #expect(try await numbers(database) == [1, 2])
      // Each step adds to what the one before it made.
      #expect(try await database.rows("SELECT x FROM one ORDER BY rowid") { $0.int(0) } == [1, 2])
    }
  }

  @Test func thatFailLeaveNothingBehind() async throws {
    let broken = Migration(number: 2, name: "broken", sql: "CREATE TABLE half (x INTEGER); NO SUCH SQL;")
    let database = try Database(path: path)
    await #expect(throws: SQLiteError.self) { try await database.migrate([steps[0], broken]) }
    #expect(try await numbers(database) == [1])
    let tables = try await database.rows("SELECT name FROM sqlite_master WHERE name = 'half'") { $0.text(0) }
    #expect(tables.isEmpty)
  }

  @Test func ofManyConnectionsAtOnceRunOnce() async throws {
    let path = path
    let steps = steps
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { try await Database(path: path).migrate(steps) }
      }
      try await group.waitForAll()
    }
    let database = try Database(path: path)
    #expect(try await database.rows("SELECT x FROM one ORDER BY x") { $0.int(0) } == [1, 2])
  }

  @Test func textWithQuotesAndNULComesBackWhole() async throws {
    let database = try Database(path: path)
    try await database.script("CREATE TABLE texts (x TEXT)")
    let text = "a'b\"c\u{0}d é 🙂"
    try await database.run("INSERT INTO texts VALUES (?)", text)
    #expect(try await database.rows("SELECT x FROM texts") { $0.text(0) } == [text])
  }
}
