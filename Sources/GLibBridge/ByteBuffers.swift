import CGLib

/// Swift arrays as `GBytes`.
public enum ByteBuffers {
  private final class Holder {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// Smaller ones are copied: that is cheaper than an object to hold them.
  private static let copyLimit = 4096

  /// An owned `GBytes` over the array's own storage. Not for an empty array.
  public static func bytes(holding array: [UInt8]) -> OpaquePointer {
    array.withUnsafeBytes { buffer in
      guard buffer.count > copyLimit else { return g_bytes_new(buffer.baseAddress, gsize(buffer.count)) }
      // The storage of an array does not move while somebody holds it and nobody can write to it.
      return g_bytes_new_with_free_func(
        buffer.baseAddress, gsize(buffer.count), { Unmanaged<Holder>.fromOpaque($0!).release() },
        Unmanaged.passRetained(Holder(array)).toOpaque())
    }
  }
}
