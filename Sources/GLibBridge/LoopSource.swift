import CGLib
import Glibc

/// An attached `GSource`; it is destroyed with this object, or by `cancel`. To be made, and let go, on the
/// thread whose loop runs it.
public final class LoopSource {
  /// What a descriptor is watched for, and what came.
  public struct Events: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let readable = Events(rawValue: UInt32(POLLIN))
    public static let writable = Events(rawValue: UInt32(POLLOUT))
    /// The peer will send no more: told without reading, so that data in between does not hide it.
    public static let peerClosed = Events(rawValue: 0x2000)  // POLLRDHUP, which needs _GNU_SOURCE
    public static let hangUp = Events(rawValue: UInt32(POLLHUP))
    public static let error = Events(rawValue: UInt32(POLLERR))
  }

  private final class Callback {
    let body: (Events) -> Bool
    init(_ body: @escaping (Events) -> Bool) { self.body = body }
  }

  private var source: UnsafeMutablePointer<GSource>?

  private init(_ source: UnsafeMutablePointer<GSource>) { self.source = source }
  deinit { cancel() }

  public func cancel() {
    guard let source else { return }
    self.source = nil
    g_source_destroy(source)
    g_source_unref(source)
  }

  /// Calls `body` as long as the descriptor has one of `events` (level-triggered) and `body` returns true.
  /// Hang-up and error come unasked.
  public static func descriptor(
    _ descriptor: Int32, _ events: Events, _ body: @escaping (Events) -> Bool
  ) -> LoopSource {
    let source = g_unix_fd_source_new(descriptor, GIOCondition(rawValue: events.rawValue))!
    let call: GUnixFDSourceFunc = { _, condition, data in
      Unmanaged<Callback>.fromOpaque(data!).takeUnretainedValue().body(Events(rawValue: condition.rawValue))
        ? 1 : 0
    }
    // Safe because GLib calls a Unix fd source's callback by exactly this type; the macro that C uses for it
    // is the same cast.
    attach(source, unsafeBitCast(call, to: GSourceFunc.self), Callback(body))
    return LoopSource(source)
  }

  /// Calls `body` every `interval` while it returns true.
  public static func timer(every interval: Duration, _ body: @escaping () -> Bool) -> LoopSource {
    let source = g_timeout_source_new(UInt32(clamping: max(1, interval.milliseconds)))!
    attach(
      source, { Unmanaged<Callback>.fromOpaque($0!).takeUnretainedValue().body([]) ? 1 : 0 },
      Callback { _ in body() })
    return LoopSource(source)
  }

  private static func attach(
    _ source: UnsafeMutablePointer<GSource>, _ call: @escaping GSourceFunc, _ callback: Callback
  ) {
    g_source_set_callback(
      source, call, Unmanaged.passRetained(callback).toOpaque(),
      { Unmanaged<Callback>.fromOpaque($0!).release() })
    // Blocking it during its dispatch would cost two writes to the context's eventfd each time; nobody runs
    // a loop inside these callbacks.
    g_source_set_can_recurse(source, 1)
    g_source_attach(source, g_main_context_get_thread_default())
  }
}

extension Duration {
  /// Whole ones, as poll and GLib count.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
