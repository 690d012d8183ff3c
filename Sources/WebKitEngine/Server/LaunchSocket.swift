import CWebKit
import Glibc

/// The socket on which a process that WebKit started tells its id. When it ends without one, WebKit aborts the
/// whole program (`IPC::readPIDFromPeer`, WebKit 2.50): a process that is killed in its first moments, or finds
/// no display, no memory or no namespace, would take every page with it.
///
/// Told an id all the same, WebKit goes on to that process's connection, finds it closed, and tells of a crash
/// as of any other.
enum LaunchSocket {
  /// Beyond all ids that Linux gives (it stops at 2²²): signals to it reach nobody.
  static let nobody = Int32.max

  /// For one message with credentials, which is all that such a socket is asked for.
  static let controlLength = MemoryLayout<cmsghdr>.size + 16
  /// SCM_CREDENTIALS, which needs _GNU_SOURCE.
  static let credentialsType: Int32 = 2

  static func passesCredentials(_ socket: Int32) -> Bool {
    var isPassing: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, SO_PASSCRED, &isPassing, &length) == 0 && isPassing != 0
  }

  /// A control message as the kernel writes it: its header, then process, user and group.
  static func writeCredentials(to control: UnsafeMutableRawPointer) {
    let header = control.bindMemory(to: cmsghdr.self, capacity: 1)
    header.pointee.cmsg_len = MemoryLayout<cmsghdr>.size + 3 * MemoryLayout<Int32>.size
    header.pointee.cmsg_level = SOL_SOCKET
    header.pointee.cmsg_type = credentialsType
    for (index, value) in [nobody, 0, 0].enumerated() {
      control.storeBytes(
        of: value, toByteOffset: MemoryLayout<cmsghdr>.size + index * MemoryLayout<Int32>.size, as: Int32.self
      )
    }
  }
}

/// Takes the place of the C library's recvmsg, also for the libraries: an executable's symbols go first. It
/// does what that does, but for the end of a `LaunchSocket`.
@_cdecl("recvmsg")
public func receiveMessage(_ socket: Int32, _ message: UnsafeMutablePointer<msghdr>, _ flags: Int32) -> Int {
  let room = message.pointee.msg_controllen
  let count = webview_receive_message(socket, message, flags)
  guard count == 0, room == LaunchSocket.controlLength, let control = message.pointee.msg_control,
    LaunchSocket.passesCredentials(socket)
  else { return count }
  LaunchSocket.writeCredentials(to: control)
  message.pointee.msg_controllen = room
  return 1
}
