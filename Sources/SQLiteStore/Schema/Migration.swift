/// One numbered step of the schema. A step that has been released never changes: a change is a new step.
struct Migration: Sendable {
  let number: Int
  let name: String
  let sql: String

  /// All steps in order, numbered 1, 2, 3…; their SQL stands in `Migrations/`.
  static let all: [Migration] = [.profiles]
}

/// The database was written by a later version of the program.
struct SchemaTooNew: Error, Equatable {
  let found: Int
  let known: Int
}

extension Database {
  /// Brings the schema up to the last of `migrations`; each step and its record are one transaction.
  func migrate(_ migrations: [Migration] = Migration.all) throws {
    try script(
      """
      CREATE TABLE IF NOT EXISTS migrations (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        applied_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
      ) STRICT
      """)
    let known = migrations.last?.number ?? 0
    while true {
      // Read inside the transaction: a second process may be migrating too.
      let isDone = try transaction { database in
        let applied = try database.rows("SELECT coalesce(max(number), 0) FROM migrations") { $0.int(0) }
        let current = applied.first ?? 0
        guard current <= known else { throw SchemaTooNew(found: current, known: known) }
        guard let next = migrations.first(where: { $0.number > current }) else { return true }
        try database.script(next.sql)
        try database.run("INSERT INTO migrations (number, name) VALUES (?, ?)", next.number, next.name)
        return false
      }
      if isDone { return }
    }
  }
}
