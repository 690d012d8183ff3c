import Glibc

/// The web process that a call of WebKit's started, or one that told who it is. WebKitGTK does not tell a view's process; it starts it
/// synchronously in the call that needs it, so the difference around that call is the answer. Which of the new
/// children it is may be seen only later: a busy kernel names a process some milliseconds after its start.
struct StartedProcess {
  private struct Child {
    var identifier: Int32
    /// A later process of the same identifier has another one.
    var startTime: UInt64
    var isThere: Bool { WebProcesses.startTime(of: identifier) == startTime }
  }

  /// The new children, newest first, as long as none of them is known to be the one.
  private var candidates: [Child] = []
  /// The process itself, or the sandbox around it.
  private var found: Child?
  private var resolved: Int32?

  /// None.
  init() {}

  init(by body: () -> Void) {
    let known = Set(WebProcesses.children(of: getpid()))
    let begin = WebProcesses.ticksSinceBoot()
    body()
    func isNew(_ child: Child) -> Bool { child.startTime >= begin && !known.contains(child.identifier) }
    candidates = Self.newestFirst(WebProcesses.children(of: getpid())).filter(isNew)
    // The list may lack the one that matters: then all processes are looked at.
    if child() == nil { candidates = Self.newestFirst(WebProcesses.childrenByParent()).filter(isNew) }
  }

  /// One that told who it is.
  init(child: Int32, process: Int32) {
    found = WebProcesses.startTime(of: child).map { Child(identifier: child, startTime: $0) }
    resolved = process
  }

  private static func newestFirst(_ identifiers: [Int32]) -> [Child] {
    identifiers
      .compactMap { id in WebProcesses.startTime(of: id).map { Child(identifier: id, startTime: $0) } }
      .sorted { ($0.startTime, $0.identifier) > ($1.startTime, $1.identifier) }
  }

  private mutating func child() -> Child? {
    if found == nil {
      found = candidates.first { $0.isThere && WebProcesses.isWebProcess($0.identifier) }
      if found != nil { candidates = [] }
    }
    return found?.isThere == true ? found : nil
  }

  /// Of the web process itself; nil while it is not there yet, and when it is gone.
  mutating func identifier() -> Int32? {
    guard let child = child() else { return nil }
    if resolved == nil { resolved = WebProcesses.resolve(child.identifier) }
    return resolved
  }

  /// Ends it, with the sandbox around it.
  mutating func kill() {
    guard let child = child() else { return }
    // A sandbox that ends alone while it starts the process inside leaves that behind.
    for inner in WebProcesses.children(of: child.identifier) { Glibc.kill(inner, SIGKILL) }
    Glibc.kill(child.identifier, SIGKILL)
  }
}
