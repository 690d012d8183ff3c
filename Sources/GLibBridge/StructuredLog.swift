import CGLib
import Synchronization

/// What GLib, GTK, WebKit and libsoup want to tell, as values.
public enum StructuredLog {
  /// From worst to least.
  public enum Level: Int, Sendable, Comparable {
    case error, critical, warning, message, info, debug
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    fileprivate init(_ flags: GLogLevelFlags) {
      switch flags.rawValue {
      case let bits where bits & G_LOG_LEVEL_ERROR.rawValue != 0: self = .error
      case let bits where bits & G_LOG_LEVEL_CRITICAL.rawValue != 0: self = .critical
      case let bits where bits & G_LOG_LEVEL_WARNING.rawValue != 0: self = .warning
      case let bits where bits & G_LOG_LEVEL_MESSAGE.rawValue != 0: self = .message
      case let bits where bits & G_LOG_LEVEL_INFO.rawValue != 0: self = .info
      default: self = .debug
      }
    }
  }

  public struct Entry: Sendable {
    public var level: Level
    /// The library: `GLib-GObject`, `WebKit`, `libsoup`…
    public var domain: String
    public var message: String
  }

  private struct Sink: Sendable {
    var verbosity: Level
    var write: @Sendable (Entry) -> Void
  }
  private static let sink = Mutex<Sink?>(nil)
  private static let isInstalled = Atomic<Bool>(false)

  /// Sends every message down to `verbosity` to `write`, on whichever thread logs. GLib takes one writer per
  /// process: a second call replaces the closure.
  public static func install(verbosity: Level = .message, _ write: @escaping @Sendable (Entry) -> Void) {
    sink.withLock { $0 = Sink(verbosity: verbosity, write: write) }
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    g_log_set_writer_func(
      { flags, fields, count, _ in
        StructuredLog.forward(Level(flags), UnsafeBufferPointer(start: fields, count: Int(count)))
        return G_LOG_WRITER_HANDLED
      }, nil, nil)
  }

  private static func forward(_ level: Level, _ fields: UnsafeBufferPointer<GLogField>) {
    // Outside of the lock: writing may log.
    guard let sink = sink.withLock({ $0 }), level <= sink.verbosity else { return }
    var entry = Entry(level: level, domain: "", message: "")
    for field in fields {
      switch String(cString: field.key) {
      case "MESSAGE": entry.message = text(of: field)
      case "GLIB_DOMAIN": entry.domain = text(of: field)
      default: break
      }
    }
    sink.write(entry)
  }

  private static func text(of field: GLogField) -> String {
    guard let value = field.value else { return "" }
    if field.length < 0 { return String(cString: value.assumingMemoryBound(to: CChar.self)) }
    return String(decoding: UnsafeRawBufferPointer(start: value, count: Int(field.length)), as: UTF8.self)
  }
}
