import Foundation

/// What a page's process takes of the machine.
public struct ProcessUsage: Sendable, Equatable {
  public var identifier: Int32
  /// Bytes: its proportional share of memory where the kernel tells it, else all that is resident.
  public var residentMemory: Int
  /// Seconds of processor time so far.
  public var cpuTime: Double

  public init(identifier: Int32, residentMemory: Int, cpuTime: Double) {
    self.identifier = identifier
    self.residentMemory = residentMemory
    self.cpuTime = cpuTime
  }

  /// nil when there is no such process. Reads files: not on an actor of a loop.
  static func read(_ identifier: Int32) -> ProcessUsage? {
    // utime, stime and rss.
    guard let fields = ProcessFiles.status(of: identifier), fields.count > 21,
      let user = Double(fields[11]), let system = Double(fields[12])
    else { return nil }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    let memory = proportional(identifier) ?? (Int(fields[21]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    return ProcessUsage(identifier: identifier, residentMemory: memory, cpuTime: (user + system) / ticks)
  }

  private static func proportional(_ identifier: Int32) -> Int? {
    guard let rollup = ProcessFiles.text("/proc/\(identifier)/smaps_rollup") else { return nil }
    for line in rollup.split(separator: "\n") where line.hasPrefix("Pss:") {
      return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}
