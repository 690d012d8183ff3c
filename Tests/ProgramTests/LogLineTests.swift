import Foundation
import Testing

@testable import webview_server

@Suite struct LogLines {
  private let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 7_000_000)

  @Test func ofTextAreOneLineWithQuotedFields() {
    let line = LogLine(
      time: time, level: .info, message: "done",
      fields: [
        ("path", .text("/a")), ("why", .text("it is \"so\"")), ("ms", .milliseconds(1.239)),
        ("n", .integer(3)),
      ])
    #expect(
      line.text == "2023-11-14T22:13:20.007Z info    done path=/a why=\"it is \\\"so\\\"\" ms=1.24 n=3\n")
  }

  @Test func cannotBeForgedByWhatIsInThem() throws {
    let line = LogLine(
      time: time, level: .error, message: "a\nb\u{1b}[2J\u{2028}c", fields: [("x", .text("\r\n\u{0}"))])
    #expect(line.text.dropLast().contains { $0.isNewline } == false)
    #expect(line.text.contains("\u{1b}") == false)
    let object = try JSONSerialization.jsonObject(with: Data(line.json.utf8)) as? [String: String]
    #expect(object?["message"] == "a\nb\u{1b}[2J\u{2028}c")
    #expect(object?["x"] == "\r\n\u{0}")
    #expect(object?["level"] == "error")
  }
}
