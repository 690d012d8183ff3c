import Glibc
import WebViewCore

/// The processes below this one, as the kernel lists them.
enum ChildProcesses {
  /// Children and theirs, without those that have ended and wait to be reaped.
  static func running() -> [pid_t] {
    var children: [pid_t: [pid_t]] = [:]
    for pid in ProcessFiles.identifiers {
      guard let fields = ProcessFiles.status(of: pid), fields.count > 1, let parent = pid_t(fields[1]),
        fields[0] != "Z", fields[0] != "X"
      else { continue }
      children[parent, default: []].append(pid)
    }
    var found: [pid_t] = []
    var rest = [getpid()]
    while let pid = rest.popLast() {
      let below = children[pid] ?? []
      found += below
      rest += below
    }
    return found
  }

  /// Waits up to `grace` for all but one to end by themselves, then ends those that do not.
  static func end(except spared: pid_t? = nil, grace: Duration) async {
    let deadline = ContinuousClock.now + grace
    while running().contains(where: { $0 != spared }), ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
    for pid in running() where pid != spared { kill(pid, SIGKILL) }
  }

  /// Ends one child without letting this thread's loop run meanwhile.
  static func endBlocking(_ pid: pid_t, grace: Duration) {
    kill(pid, SIGTERM)
    let deadline = ContinuousClock.now + grace
    while running().contains(pid), ContinuousClock.now < deadline { poll(nil, 0, 2) }
    kill(pid, SIGKILL)
  }
}
