import Foundation
import Testing

@testable import webview_server

@Suite struct AccessTokens {
  private func file(_ text: String, mode: Int = 0o600) throws -> String {
    let path = NSTemporaryDirectory() + "token-\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test func comeTrimmedFromAFile() throws {
    let token = try AccessToken(.file(file(" abc-1~ \n")))
    #expect(token.text == "abc-1~")
    #expect(token.warning == nil)
  }

  @Test func thatEveryoneCanReadAreWarnedOf() throws {
    #expect(try AccessToken(.file(file("abc", mode: 0o644))).warning?.contains("chmod") == true)
  }

  @Test(arguments: ["", " \n", "two words", "é", String(repeating: "a", count: 5_000)])
  func thatNoHeaderCanCarryAreRefusedWithoutBeingTold(text: String) throws {
    let path = try file(text)
    let error = #expect(throws: UsageError.self) { try AccessToken(.file(path)) }
    #expect(error?.message.contains(path) == true)
    #expect(error?.message.contains("two words") == false)
  }

  @Test func thatAreNotThereAreNamed() {
    let error = #expect(throws: UsageError.self) { try AccessToken(.file("/no/such/token")) }
    #expect(error?.message.contains("/no/such/token") == true)
  }
}
