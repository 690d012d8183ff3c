import Glibc

/// Looks for the engine's processes among our own children.
enum WebProcesses {
  /// The same as `children(of:)` of our own, from a look at all processes.
  static func childrenByParent() -> [Int32] {
    let parent = "PPid:\t\(getpid())\n"
    return entries("/proc").compactMap { Int32($0) }
      .filter { read("/proc/\($0)/status")?.contains(parent) == true }
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
    // The name, in parentheses, may hold spaces: fields are counted from its end.
    guard let text = read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return UInt64(fields[19])
  }

  /// Now, as `startTime` counts.
  static func ticksSinceBoot() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let ticks = UInt64(sysconf(Int32(_SC_CLK_TCK)))
    return UInt64(time.tv_sec) * ticks + UInt64(time.tv_nsec) * ticks / 1_000_000_000
  }

  /// As the kernel lists them, which may miss some while others end.
  static func children(of process: Int32) -> [Int32] {
    var found: [Int32] = []
    for thread in entries("/proc/\(process)/task") {
      let text = read("/proc/\(process)/task/\(thread)/children") ?? ""
      found += text.split(separator: " ").compactMap { Int32($0) }
    }
    return found
  }

  /// The kernel keeps fifteen letters of a name.
  private static let webProcessName = "WebKitWebProces"

  static func isWebProcess(_ process: Int32) -> Bool {
    guard let name = name(of: process) else { return false }
    if name.hasPrefix(webProcessName) { return true }
    guard let command = read("/proc/\(process)/cmdline") else { return false }
    // Between fork and exec the child still carries our own command line, and for some milliseconds after it
    // none: only the engine's names count.
    return command.contains("WebKitWebProcess")
  }

  private static func name(of process: Int32) -> String? { read("/proc/\(process)/comm") }

  static func entries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
