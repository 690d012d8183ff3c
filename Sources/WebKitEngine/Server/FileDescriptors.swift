import Glibc
import WebViewCore

/// GLib aborts the program when a process cannot be started for want of descriptors: new pages are refused
/// before that.
enum FileDescriptors {
  /// What stays free for connections (which stop at 48) and for the pages that there are.
  private static let reserve = 112

  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  static func checkRoom() throws(ServiceError) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let open = ProcessFiles.entries("/proc/self/fd").count
    let maximum = limit.rlim_cur > UInt(Int.max) ? Int.max : Int(limit.rlim_cur)
    guard open > maximum - reserve else { return }
    throw ServiceError(
      .unavailable,
      "The server has no file descriptors left for another page: dispose controllers, or raise its limit.",
      details: ["reason": "fileDescriptors", "open": .init(open), "limit": .init(maximum)])
  }
}
