import Foundation
import GLibBridge
import Glibc
import Testing

/// Sources are made and let go on their loop's thread, where these tests run.
@LoopActor
@Suite(.timeLimit(.minutes(1))) struct LoopSourceTests {
  /// Two connected sockets, closed with this object.
  private final class SocketPair {
    private(set) var descriptors: [Int32] = [-1, -1]
    init() { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) }
    deinit { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }

    func write(_ text: String) { _ = Glibc.write(descriptors[1], text, text.utf8.count) }
    func readByte() -> String {
      var byte: UInt8 = 0
      return read(descriptors[0], &byte, 1) == 1 ? String(UnicodeScalar(byte)) : ""
    }
    func closeOther() {
      close(descriptors[1])
      descriptors[1] = -1
    }
  }

  @Test func aDescriptorIsToldAsLongAsItIsReadyAndWanted() async throws {
    let pair = SocketPair()
    let seen = Journal<String>()
    let end = Arrival<Void>()
    let source = LoopSource.descriptor(pair.descriptors[0], .readable) { events in
      #expect(events.contains(.readable))
      seen.add(pair.readByte())
      guard seen.entries.count < 3 else {
        end.send()
        return false
      }
      return true
    }
    pair.write("abcd")
    try await end.value
    // A turn in which a source that goes on would be told of the fourth.
    try await laterTurn()
    #expect(seen.entries == ["a", "b", "c"])
    source.cancel()
  }

  private func laterTurn() async throws {
    let turn = Arrival<Void>()
    LoopActor.loop.later { LoopActor.loop.later { turn.send() } }
    try await turn.value
  }

  @Test func aCancelledSourceIsSilentAndFreesItsClosure() async throws {
    let pair = SocketPair()
    let (gone, told) = (Arrival<Void>(), Journal<Void>())
    let source: LoopSource
    do {
      let token = Token(gone)
      source = LoopSource.descriptor(pair.descriptors[0], .readable) { _ in
        token.hold()
        told.add(())
        return true
      }
    }
    source.cancel()
    try await gone.value
    pair.write("x")
    try await laterTurn()
    #expect(told.entries.isEmpty)
    source.cancel()
  }

  @Test func aSourceEndsWithItsObject() async throws {
    let gone = Arrival<Void>()
    var source: LoopSource?
    do {
      let token = Token(gone)
      source = LoopSource.timer(every: .seconds(3600)) {
        token.hold()
        return true
      }
    }
    #expect(source != nil)
    source = nil
    try await gone.value
  }

  @Test func aSourceMayEndItselfFromWithin() async throws {
    final class Owner {
      var source: LoopSource?
    }
    let pair = SocketPair()
    let owner = Owner()
    let (gone, told) = (Arrival<Void>(), Journal<Void>())
    do {
      let token = Token(gone)
      owner.source = LoopSource.descriptor(pair.descriptors[0], .readable) { [unowned owner] _ in
        owner.source = nil
        // What the closure holds is still there.
        token.hold()
        told.add(())
        return true
      }
    }
    pair.write("x")
    try await gone.value
    try await laterTurn()
    #expect(told.entries.count == 1)
  }

  @Test func theEndOfThePeerIsToldUnasked() async throws {
    let pair = SocketPair()
    let seen = Arrival<UInt32>()
    let source = LoopSource.descriptor(pair.descriptors[0], .peerClosed) { events in
      seen.send(events.rawValue)
      return false
    }
    pair.write("unread")
    try await laterTurn()
    pair.closeOther()
    let events = LoopSource.Events(rawValue: try await seen.value)
    #expect(events.isSuperset(of: [.peerClosed, .hangUp]))
    #expect(!events.contains(.readable), "what was not asked for")
    source.cancel()
  }

  @Test func writableMeansRoom() async throws {
    let pair = SocketPair()
    let seen = Arrival<Bool>()
    let source = LoopSource.descriptor(pair.descriptors[0], .writable) { events in
      seen.send(events == .writable)
      return false
    }
    #expect(try await seen.value)
    source.cancel()
  }

  @Test func aTimerRepeatsWhileItIsWanted() async throws {
    let ticks = Journal<Void>()
    let (end, gone) = (Arrival<Void>(), Arrival<Void>())
    let source: LoopSource
    do {
      let token = Token(gone)
      source = LoopSource.timer(every: .microseconds(10)) {
        token.hold()
        ticks.add(())
        guard ticks.entries.count < 3 else {
          end.send()
          return false
        }
        return true
      }
    }
    try await end.value
    try await gone.value
    #expect(ticks.entries.count == 3)
    source.cancel()
  }
}
