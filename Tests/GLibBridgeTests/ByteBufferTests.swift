import CGLib
import GLibBridge
import Testing

@Suite struct ByteBufferTests {
  @Test(arguments: [1, 4_096, 4_097, 1 << 20])
  func bytesAreThoseOfTheArrayForAsLongAsTheyAreHeld(count: Int) {
    func make() -> OpaquePointer {
      ByteBuffers.bytes(holding: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }
    // The array is gone by now.
    let bytes = make()
    defer { g_bytes_unref(bytes) }
    var size: gsize = 0
    let start = g_bytes_get_data(bytes, &size)
    #expect(Int(size) == count)
    let seen = UnsafeRawBufferPointer(start: start, count: count)
    #expect(seen.elementsEqual((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0) }))
  }
}
