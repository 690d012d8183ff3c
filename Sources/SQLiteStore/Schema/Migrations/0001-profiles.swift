extension Migration {
  static let profiles = Migration(
    number: 1, name: "profiles",
    sql: """
      CREATE TABLE profiles (
        name TEXT PRIMARY KEY,
        created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
      ) STRICT, WITHOUT ROWID;
      """)
}
