import GLibBridge
import Glibc
import WebViewCore

/// A web process that WebKit has just started, until it ends. Which of our new children it is may be seen only later:
/// a busy kernel names a process some milliseconds after its start.
@PageActor
final class StartedProcess {
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
  private var watches: [ProcessWatch] = []
  private var secondLook: LoopSource?
  private var onEnd: (@PageActor () -> Void)?

  /// After which a process that is just being started is seen to be another program than ours.
  private static let timeToStart = Duration.milliseconds(50)

  /// - Parameters:
  ///   - children: of which those that were seen before are none.
  ///   - onEnd: called once, in a later turn; not where the kernel cannot watch it.
  init(newOf children: KnownChildren, onEnd: @escaping @PageActor () -> Void) {
    self.onEnd = onEnd
    children.starts += 1
    look(for: children)
    guard !isSeen else { return }
    let starts = children.starts
    // It may have ended already, of which nobody else tells.
    secondLook = LoopSource.timer(every: Self.timeToStart) { [weak self] in
      self?.lookAgain(for: children, isNewest: starts == children.starts)
      return false
    }
  }

  private var isSeen: Bool { found != nil || !candidates.isEmpty }

  private func look(for children: KnownChildren) {
    var listed: [Int32] = []
    for list in children.lists where child() == nil {
      listed = list()
      candidates = Self.newestFirst(children.new(of: listed))
    }
    children.see(listed)
    watches = (found.map { [$0] } ?? candidates).compactMap { child in
      ProcessWatch(child.identifier) { [weak self] in self?.childEnded(child.identifier) }
    }
  }

  /// - Parameter isNewest: else the one that was started since may have been taken for this one, and is there.
  private func lookAgain(for children: KnownChildren, isNewest: Bool) {
    secondLook = nil
    look(for: children)
    if !isSeen, isNewest { tellEnd() }
  }

  private static func newestFirst(_ identifiers: [Int32]) -> [Child] {
    identifiers
      .compactMap { id in WebProcesses.startTime(of: id).map { Child(identifier: id, startTime: $0) } }
      .sorted { ($0.startTime, $0.identifier) > ($1.startTime, $1.identifier) }
  }

  private func child() -> Child? {
    if found == nil {
      found = candidates.first { $0.isThere && WebProcesses.isWebProcess($0.identifier) }
      if found != nil { candidates = [] }
    }
    return found?.isThere == true ? found : nil
  }

  private func childEnded(_ identifier: Int32) {
    watches.removeAll { $0.process == identifier }
    // As long as none has the name, each that is there may be the one.
    guard child() == nil, found != nil || !candidates.contains(where: \.isThere) else { return }
    tellEnd()
  }

  private func tellEnd() {
    guard let onEnd else { return }
    self.onEnd = nil
    watches = []
    onEnd()
  }

  var isThere: Bool { child() != nil }

  /// Of the web process itself; nil while it is not there yet, and when it is gone.
  var identifier: Int32? {
    guard let child = child() else { return nil }
    if resolved == nil { resolved = WebProcesses.resolve(child.identifier) }
    return resolved
  }

  /// Ends it, with the sandbox around it.
  func kill() {
    guard let child = child() else { return }
    // A sandbox that ends alone while it starts the process inside leaves that behind.
    for inner in WebProcesses.children(of: child.identifier) { Glibc.kill(inner, SIGKILL) }
    Glibc.kill(child.identifier, SIGKILL)
  }
}

/// Our children that were seen before.
@PageActor
final class KnownChildren {
  /// The first may lack the one that matters.
  let lists: [@PageActor () -> [Int32]]
  /// Counts the processes that WebKit started.
  fileprivate(set) var starts = 0
  /// When each started: a later process of the same identifier is another one.
  private var known: [Int32: UInt64] = [:]

  init(
    lists: [@PageActor () -> [Int32]] = [
      { WebProcesses.children(of: getpid()) }, { WebProcesses.childrenByParent() },
    ]
  ) { self.lists = lists }

  /// A list may lack some, which would look new in the next one: who was seen stays known.
  func see(_ children: [Int32]) {
    known = known.filter { Glibc.kill($0.key, 0) == 0 }
    let ownProgram = ProcessFiles.program(of: getpid())
    // What is still to become another one is to be found then.
    for child in children where ProcessFiles.program(of: child) != ownProgram {
      known[child] = WebProcesses.startTime(of: child)
    }
  }

  /// Those that were not seen before and may be web processes. What WebKit starts is another program than ours by then,
  /// or in a moment.
  func new(of children: [Int32]) -> [Int32] {
    let ownProgram = ProcessFiles.program(of: getpid())
    return children.filter { child in
      let startTime = WebProcesses.startTime(of: child)
      guard startTime != nil, known[child] != startTime else { return false }
      let program = ProcessFiles.program(of: child)
      return program != ownProgram && !WebProcesses.isNetworkProcess(program: program)
    }
  }
}
