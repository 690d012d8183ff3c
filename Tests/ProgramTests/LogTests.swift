import Foundation
import Testing

@testable import webview_server

@Suite struct LogWriting {
  private let pipe = Pipe()

  private func log(_ level: LogLevel) -> Log {
    Log(format: .text, level: level, descriptor: pipe.fileHandleForWriting.fileDescriptor)
  }

  private func lines(_ log: Log) throws -> [String] {
    log.flush(seconds: 10)
    let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    return text.split(separator: "\n").map { String($0.split(separator: " ", maxSplits: 1)[1]) }
  }

  @Test func keepsTheOrderOfMessagesWhateverTheirLevel() throws {
    let log = log(.info)
    log.write(.info, "one")
    log.write(.error, "two")
    log.write(.info, "three", ("n", .integer(3)))
    #expect(try lines(log) == ["info    one", "error   two", "info    three n=3"])
  }

  @Test func leavesOutWhatIsLessImportantThanItsLevel() throws {
    let log = log(.warning)
    log.write(.info, "quiet")
    log.write(.warning, "loud")
    #expect(try lines(log) == ["warning loud"])
  }
}
