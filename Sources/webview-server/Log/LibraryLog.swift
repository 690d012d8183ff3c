import GLibBridge

extension Log {
  /// What GLib, GTK, WebKit or libsoup say.
  func library(_ entry: StructuredLog.Entry) {
    let level: LogLevel =
      switch entry.level {
      case .error, .critical: .error
      case .warning: .warning
      case .message, .info: .info
      case .debug: .debug
      }
    write(level, entry.message, ("library", .text(entry.domain)))
  }
}
