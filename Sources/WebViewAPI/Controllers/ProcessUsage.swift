import Foundation

/// Memory and processor time of one process, from proc(5).
struct ProcessUsage: Sendable {
  var residentBytes: Int
  var processorSeconds: Double

  /// nil when the process is gone.
  init?(of process: Int32) {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      // The command's name may hold spaces and parentheses: fields count from the last `)`.
      let end = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    // Fields 14 and 15 (times in clock ticks) and 24 (pages), the first after `)` being number 3.
    guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
      let pages = Int(fields[21])
    else { return nil }
    residentBytes = pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    processorSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
