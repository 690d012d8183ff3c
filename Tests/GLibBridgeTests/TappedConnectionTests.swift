import CGLib
import GLibBridge
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct TappedConnectionTests {
  /// A tapped stream over one end of a socket pair; the other end is the test's.
  private final class Pair {
    let stream: UnsafeMutablePointer<GIOStream>
    let other: Int32
    let tap: TappedConnection.Tap
    private var isOpen = true

    init(_ tap: TappedConnection.Tap = TappedConnection.Tap()) throws {
      var descriptors: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
      let socket = try #require(try throwing { g_socket_new_from_fd(descriptors[0], &$0) })
      defer { g_object_unref(socket) }
      stream = TappedConnection.make(over: socket, tap: tap)
      other = descriptors[1]
      self.tap = tap
    }
    deinit {
      g_object_unref(stream)
      if isOpen { close(other) }
    }

    var input: UnsafeMutablePointer<GInputStream> { g_io_stream_get_input_stream(stream) }
    var pollable: OpaquePointer { OpaquePointer(input) }

    func send(_ text: String) { _ = Glibc.write(other, text, text.utf8.count) }
    func closeOther() {
      close(other)
      isOpen = false
    }

    /// What one read gives; nil at the end.
    func read(_ count: Int = 100) throws -> String? {
      var buffer = [UInt8](repeating: 0, count: count)
      let got = try throwing { g_input_stream_read(input, &buffer, gsize(count), nil, &$0) }
      return got > 0 ? String(decoding: buffer[..<got], as: UTF8.self) : nil
    }

    func readNonblocking(_ count: Int = 100) throws(GLibError) -> String {
      var buffer = [UInt8](repeating: 0, count: count)
      let got = try throwing {
        g_pollable_input_stream_read_nonblocking(pollable, &buffer, gsize(count), nil, &$0)
      }
      return String(decoding: buffer[..<max(0, got)], as: UTF8.self)
    }
  }

  @Test func bytesAreShownBeforeTheirReaderSeesThem() throws {
    let (pair, seen) = (try Pair(), Journal<String>())
    pair.tap.onRead = { seen.add("tap " + String(decoding: $0, as: UTF8.self)) }
    pair.send("hello")
    seen.add("read " + (try pair.read(3) ?? ""))
    seen.add("read " + (try pair.readNonblocking()))
    #expect(seen.entries == ["tap hel", "read hel", "tap lo", "read lo"])
  }

  @Test func withoutALookerItIsAStreamLikeAnother() throws {
    let pair = try Pair()
    pair.send("hello")
    #expect(try pair.read() == "hello")
    var written: gsize = 0
    try throwing {
      g_output_stream_write_all(g_io_stream_get_output_stream(pair.stream), "back", 4, &written, nil, &$0)
    }
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(Glibc.read(pair.other, &buffer, 10) == 4)
    #expect(
      pair.input == g_io_stream_get_input_stream(pair.stream), "one input stream, however often asked for")
  }

  @Test func theEndAndErrorsAreNotShown() throws {
    let (pair, seen) = (try Pair(), Journal<Int>())
    pair.tap.onRead = { seen.add($0.count) }
    let error = #expect(throws: GLibError.self) { try pair.readNonblocking() }
    #expect(error?.code == Int(G_IO_ERROR_WOULD_BLOCK.rawValue))
    pair.closeOther()
    #expect(try pair.read() == nil)
    #expect(seen.entries.isEmpty)
  }

  @Test func itTellsWhenThereIsSomethingToRead() throws {
    let pair = try Pair()
    let context = g_main_context_new()
    let source = g_pollable_input_stream_create_source(pair.pollable, nil)
    g_source_attach(source, context)
    defer {
      g_source_destroy(source)
      g_source_unref(source)
      g_main_context_unref(context)
    }
    #expect(g_pollable_input_stream_can_poll(pair.pollable) != 0)
    #expect(g_pollable_input_stream_is_readable(pair.pollable) == 0)
    #expect(g_main_context_pending(context) == 0)
    pair.send("x")
    #expect(g_pollable_input_stream_is_readable(pair.pollable) != 0)
    #expect(g_main_context_pending(context) != 0)
  }

  @Test(arguments: [false, true])
  func theTapGoesWithTheStream(isRead: Bool) async throws {
    let gone = Arrival<Void>()
    do {
      let pair = try Pair(Self.tap(holding: Token(gone)))
      pair.send("x")
      if isRead { #expect(try pair.read() == "x") }
    }
    try await gone.value
  }

  private static func tap(holding token: Token) -> TappedConnection.Tap {
    let tap = TappedConnection.Tap()
    tap.onRead = { _ in token.hold() }
    return tap
  }

  @Test func theOtherEndSeesTheStreamGo() throws {
    var descriptors: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0)
    defer { close(descriptors[1]) }
    let socket = try #require(try throwing { g_socket_new_from_fd(descriptors[0], &$0) })
    let stream = TappedConnection.make(over: socket, tap: TappedConnection.Tap())
    g_object_unref(socket)
    _ = g_io_stream_get_input_stream(stream)
    g_object_unref(stream)
    var byte: UInt8 = 0
    #expect(
      recv(descriptors[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0, "the end of the stream, not nothing yet")
  }
}
