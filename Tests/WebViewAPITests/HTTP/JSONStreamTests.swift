import HTTPModel
import Synchronization
import Testing
import WebViewCore

@testable import WebViewAPI

@Suite struct JSONStreamTests {
  private final class Collector: HTTPBodyWriter {
    let pieces = Mutex<[[UInt8]]>([])
    func write(_ bytes: [UInt8]) async throws { pieces.withLock { $0.append(bytes) } }
  }

  @Test func aLargeResultLeavesInPiecesThatMakeTheSameText() async throws {
    let text = "\"" + String(repeating: "é😀x", count: JSONStream.threshold / 4) + "\""
    let object: JSONObject = ["before": [1, "ü"], "result": .raw(text), "after": .null]
    let stream = try #require(JSONStream(object))
    guard case .stream(let length, let produce) = stream.body else {
      Issue.record("not a stream")
      return
    }
    let collector = Collector()
    try await produce(collector)
    let pieces = collector.pieces.withLock { $0 }
    let whole = pieces.flatMap { $0 }
    #expect(whole == JSONWriter.write(.object(object)))
    #expect(length == whole.count)
    #expect(pieces.allSatisfy { $0.count <= 64 << 10 })
  }

  @Test func whatIsSmallIsWrittenAtOnce() {
    #expect(
      JSONStream(["result": .raw("1"), "text": .string(String(repeating: "x", count: 2 << 20))]) == nil)
  }
}
