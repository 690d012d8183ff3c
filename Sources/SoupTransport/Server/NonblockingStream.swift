import CSoup
import GLibBridge

/// GIO's pollable streams without their errors as objects.
enum NonblockingStream {
  enum Result {
    /// 0 when reading: the end.
    case count(Int)
    case wouldBlock
    case failed
  }

  static func write(_ stream: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Result {
    var error: UnsafeMutablePointer<GError>?
    let count = g_pollable_output_stream_write_nonblocking(
      stream, bytes.baseAddress, gsize(bytes.count), nil, &error)
    return result(count, error)
  }

  static func read(_ stream: OpaquePointer, into buffer: UnsafeMutableRawBufferPointer) -> Result {
    var error: UnsafeMutablePointer<GError>?
    let count = g_pollable_input_stream_read_nonblocking(
      stream, buffer.baseAddress, gsize(buffer.count), nil, &error)
    return result(count, error)
  }

  private static func result(_ count: gssize, _ error: UnsafeMutablePointer<GError>?) -> Result {
    guard let error else { return .count(count) }
    return GLibError(consuming: error).isIO(G_IO_ERROR_WOULD_BLOCK) ? .wouldBlock : .failed
  }
}
