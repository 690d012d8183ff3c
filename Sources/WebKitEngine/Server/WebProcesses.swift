import Glibc
import WebViewCore

/// Looks for the engine's processes among our own children.
enum WebProcesses {
  /// The same as `children(of:)` of our own, from a look at all processes.
  static func childrenByParent() -> [Int32] {
    let parent = "\(getpid())"
    return ProcessFiles.identifiers.filter { process in
      ProcessFiles.status(of: process).map { $0.count > 1 && $0[1] == parent } ?? false
    }
  }

  /// The web process itself, which may be `child` or deep in the sandbox around it; nil while it is not there
  /// yet: until it runs, a process still has the name of the one that started it.
  static func resolve(_ child: Int32) -> Int32? {
    guard let name = name(of: child) else { return nil }
    if name.hasPrefix(webProcessName) { return child }
    for inner in children(of: child) {
      if let found = resolve(inner) { return found }
    }
    return nil
  }

  /// When the process started, in clock ticks since boot: a reused id differs. nil when it is gone or a zombie.
  static func startTime(of process: Int32) -> UInt64? {
    guard let fields = ProcessFiles.status(of: process), fields.count > 19, fields[0] != "Z"
    else { return nil }
    return UInt64(fields[19])
  }

  /// As the kernel lists them, which may miss some while others end.
  static func children(of process: Int32) -> [Int32] {
    var found: [Int32] = []
    for thread in ProcessFiles.entries("/proc/\(process)/task") {
      let text = ProcessFiles.text("/proc/\(process)/task/\(thread)/children") ?? ""
      found += text.split(separator: " ").compactMap { Int32($0) }
    }
    return found
  }

  /// The kernel keeps fifteen letters of a name.
  private static let webProcessName = "WebKitWebProces"

  static func isWebProcess(_ process: Int32) -> Bool {
    guard let name = name(of: process) else { return false }
    if name.hasPrefix(webProcessName) { return true }
    guard let command = ProcessFiles.text("/proc/\(process)/cmdline") else { return false }
    // Between fork and exec the child still carries our own command line, and for some milliseconds after it
    // none: only the engine's names count.
    return command.contains("WebKitWebProcess")
  }

  /// - Parameter program: the path of what a process executes.
  static func isNetworkProcess(program: String?) -> Bool {
    program?.contains("/WebKitNetworkProcess") == true
  }

  private static func name(of process: Int32) -> String? { ProcessFiles.text("/proc/\(process)/comm") }
}
