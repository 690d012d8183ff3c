import Testing

@testable import SoupTransport

@Suite struct RequestFramingTests {
  private func framing(_ text: String, inPiecesOf size: Int = .max) -> RequestFraming {
    var framing = RequestFraming()
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = start + min(size, bytes.count - start)
      bytes[start..<end].withUnsafeBytes { framing.append($0) }
      start = end
    }
    return framing
  }

  private static let start = "POST /a HTTP/1.1\r\nHost: x\r\n"

  @Test(arguments: [Int.max, 1, 7])
  func findsEachRequestOfAPipeline(size: Int) {
    var framing = framing(
      "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" + Self.start
        + "Content-Length: 5\r\n\r\n\r\n\r\nxGET /3 HTTP/1.1\r\n\r\n"
        + Self.start
        + "Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nGET\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n"
        + "\r\nGET /5 HTTP/1.1\r\n\r\n", inPiecesOf: size)
    var lines: [String] = []
    while let head = framing.next() {
      #expect(head.problem == nil)
      lines.append(String(decoding: head.line, as: UTF8.self))
    }
    #expect(
      lines == [
        "GET /1 HTTP/1.1", "POST /a HTTP/1.1", "GET /3 HTTP/1.1", "POST /a HTTP/1.1", "GET /5 HTTP/1.1",
      ])
    #expect(framing.malformedBody == nil)
    #expect(framing.number == 5)
  }

  @Test(arguments: [
    "Content-Length: -5", "Content-Length: +5", "Content-Length: 0x5", "Content-Length: 5, 5",
    "Content-Length:",
    "Content-Length: 99999999999999999999", "Content-Length: 2\r\nContent-Length: 3", "Content-Length : 5",
    "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5",
    "Transfer-Encoding: identity", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: \u{b}chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Host: y", "X: a\r\n b", "no colon", ": x",
    "X: a\rContent-Length: 5",
  ])
  func refusesWhatCanBeReadInTwoWays(field: String) {
    var framing = framing(Self.start + field + "\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n")
    #expect(framing.next()?.problem != nil)
    #expect(framing.next() == nil)
  }

  @Test(arguments: ["Content-Length: 3\r\nContent-Length: 3", "content-length:3", "CONTENT-LENGTH: \t3 "])
  func takesALengthThatIsClear(field: String) {
    var framing = framing(Self.start + field + "\r\n\r\nabcGET /2 HTTP/1.1\r\n\r\n")
    #expect(framing.next()?.problem == nil)
    #expect(framing.next()?.line.starts(with: "GET /2".utf8) == true)
  }

  @Test func refusesChunksOfTheOldProtocolAndAHostThatDiffers() {
    var old = framing("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    #expect(old.next()?.problem != nil)
    var other = framing("GET http://evil/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(other.next()?.problem != nil)
    var same = framing("GET http://LOCALHOST:80/v1?u=http://e HTTP/1.1\r\nHost: localhost:80\r\n\r\n")
    #expect(same.next()?.problem == nil)
  }

  @Test(arguments: [
    "zz\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n", "0x2\r\n{}\r\n", "\r\n{}\r\n", "ffffffffffffffff\r\n{}\r\n",
    "2\r\n{}xx0\r\n\r\n",
    "2 2\r\n{}\r\n", "2\r\n{}\r\nq\r\n",
  ])
  func noticesChunksThatAreNone(body: String) {
    var framing = framing("GET / HTTP/1.1\r\n\r\n" + Self.start + "Transfer-Encoding: chunked\r\n\r\n" + body)
    _ = framing.next()
    #expect(framing.next()?.problem == nil)
    #expect(framing.malformedBody == 2)
  }

  @Test func aLineWithoutEndIsNotKept() {
    var framing = framing(String(repeating: "x", count: 300_000))
    #expect(framing.next() == nil)
    #expect(framing.malformedBody == nil)
  }
}
