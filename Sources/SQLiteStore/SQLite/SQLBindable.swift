import CSQLite

// Safe because it is SQLite's documented constant SQLITE_TRANSIENT, a macro that Swift does not import: it makes
// SQLite copy the bytes during the call and is never called.
nonisolated(unsafe) private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A value for a `?` of a statement.
protocol SQLBindable: Sendable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int: SQLBindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, Int64(self))
  }
}

extension String: SQLBindable {
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), transient)
      }
    }
  }
}

/// A row while it is current: it cannot outlive the step.
struct SQLRow: ~Copyable {
  let statement: OpaquePointer

  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
