import Glibc
import WebViewCore

/// The processes below this one, as the kernel lists them.
enum ChildProcesses {
  /// Children and theirs, without those that have ended and wait to be reaped.
  static func running(except spared: Set<pid_t> = []) -> [pid_t] {
    below([getpid()]).filter { !spared.contains($0) }
  }

  /// Those that were started with `mark` in their environment, and what is below them; whoever's children they are.
  static func marked(_ mark: String) -> [pid_t] {
    let roots = ProcessFiles.identifiers.filter { pid in
      pid != getpid()
        && ProcessFiles.text("/proc/\(pid)/environ")?.split(separator: "\0").contains(mark[...]) == true
    }
    return roots + below(roots).filter { !roots.contains($0) }
  }

  /// Waits up to `grace` for all but some to end by themselves, then ends those that do not.
  static func end(except spared: Set<pid_t>, grace: Duration) async {
    let deadline = ContinuousClock.now + grace
    while !running(except: spared).isEmpty, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(10))
    }
    for pid in running(except: spared) { kill(pid, SIGKILL) }
  }

  /// Ends one child without letting this thread's loop run meanwhile.
  static func endBlocking(_ pid: pid_t, grace: Duration) {
    kill(pid, SIGTERM)
    let deadline = ContinuousClock.now + grace
    while running().contains(pid), ContinuousClock.now < deadline { poll(nil, 0, 2) }
    kill(pid, SIGKILL)
  }

  /// The children themselves with this name, of which the kernel keeps fifteen bytes.
  static func named(_ name: String) -> Set<pid_t> {
    Set(
      ProcessFiles.identifiers.filter { pid in
        ProcessFiles.status(of: pid).flatMap { $0.count > 1 ? pid_t($0[1]) : nil } == getpid()
          && ProcessFiles.text("/proc/\(pid)/comm") == name + "\n"
      })
  }

  private static func below(_ roots: [pid_t]) -> [pid_t] {
    var children: [pid_t: [pid_t]] = [:]
    for pid in ProcessFiles.identifiers {
      guard let fields = ProcessFiles.status(of: pid), fields.count > 1, let parent = pid_t(fields[1]),
        fields[0] != "Z", fields[0] != "X"
      else { continue }
      children[parent, default: []].append(pid)
    }
    var found: [pid_t] = []
    var rest = roots
    while let pid = rest.popLast() {
      let below = children[pid] ?? []
      found += below
      rest += below
    }
    return found
  }
}
