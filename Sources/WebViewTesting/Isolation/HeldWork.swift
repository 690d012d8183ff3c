import Synchronization
import WebViewCore

/// Background work that does not begin, as on a drive that never answers.
public final class HeldWork: Sendable {
  private let held = Mutex<[@Sendable () -> Void]>([])
  public init() {}

  public var work: BackgroundWork { .started { [self] work in held.withLock { $0.append(work) } } }

  public var isHolding: Bool { held.withLock { !$0.isEmpty } }

  /// Does what was held so far. Whoever waits for it would otherwise wait for ever.
  public func release() {
    let due = held.withLock { held in
      defer { held = [] }
      return held
    }
    for work in due { work() }
  }
}
