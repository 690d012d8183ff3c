import CSQLite
import WebViewCore

/// One connection on one serial queue: file I/O holds neither a loop's thread nor one of the shared pool.
actor Database {
  private nonisolated let executor = QueueExecutor(label: "database")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  // Safe because both are touched by init, by isolated methods and by deinit only, never by two at a time.
  private nonisolated(unsafe) let connection: OpaquePointer
  private nonisolated(unsafe) var prepared: [String: OpaquePointer] = [:]

  /// Milliseconds that a statement waits for another connection's lock.
  private static let busyTimeout: Int32 = 5_000

  init(path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    guard result == SQLITE_OK, let opened else {
      let error = SQLiteError(
        code: result, message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
      sqlite3_close_v2(opened)
      throw error
    }
    connection = opened
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, Self.busyTimeout)
    for pragma in ["journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"] {
      let result = sqlite3_exec(opened, "PRAGMA \(pragma)", nil, nil, nil)
      guard result == SQLITE_OK else {
        // A throwing initializer of an actor runs deinit, which closes the connection.
        throw SQLiteError(code: result, message: String(cString: sqlite3_errmsg(opened)))
      }
    }
  }

  deinit {
    for statement in prepared.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(connection)
  }

  /// Runs one statement and maps its rows.
  func rows<Value: Sendable>(
    _ sql: String, _ values: any SQLBindable..., map: @Sendable (borrowing SQLRow) throws -> Value
  ) throws -> [Value] {
    var mapped: [Value] = []
    try step(sql, values) { mapped.append(try map($0)) }
    return mapped
  }

  /// Runs one statement for its effect.
  func run(_ sql: String, _ values: any SQLBindable...) throws {
    try step(sql, values) { _ in }
  }

  /// Does other work on files here: this queue may wait for a disk, the caller's loop may not.
  func perform<Value: Sendable>(_ work: @Sendable () throws -> Value) rethrows -> Value { try work() }

  /// Runs several statements without values, as migrations hold them.
  func script(_ sql: String) throws {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// All of `body` or nothing of it. Takes the write lock at once, so that it cannot fail half way as busy.
  func transaction<Value: Sendable>(_ body: @Sendable (isolated Database) throws -> Value) throws -> Value {
    try script("BEGIN IMMEDIATE")
    do {
      let value = try body(self)
      try script("COMMIT")
      return value
    } catch {
      // The first error is the one worth telling; SQLite may have rolled back by itself.
      try? script("ROLLBACK")
      throw error
    }
  }

  private func step(
    _ sql: String, _ values: [any SQLBindable], row: (borrowing SQLRow) throws -> Void
  ) throws {
    let statement = try statement(for: sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(index + 1)))
    }
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { throw failure() }
      try row(SQLRow(statement: statement))
    }
  }

  private func statement(for sql: String) throws -> OpaquePointer {
    if let known = prepared[sql] { return known }
    var made: OpaquePointer?
    try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
    guard let made else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement") }
    prepared[sql] = made
    return made
  }

  private func check(_ result: Int32) throws {
    if result != SQLITE_OK { throw failure() }
  }

  private func failure() -> SQLiteError {
    SQLiteError(
      code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
  }
}
