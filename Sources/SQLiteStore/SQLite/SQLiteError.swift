import CSQLite

/// What SQLite refused, with its extended result code.
struct SQLiteError: Error, CustomStringConvertible, Equatable {
  let code: Int32
  let message: String

  var description: String { "\(message) (SQLite \(code))" }

  /// The file is no database, or one that is torn: nothing that trying again could cure.
  var isDamage: Bool { code & 0xff == SQLITE_CORRUPT || code & 0xff == SQLITE_NOTADB }
}
