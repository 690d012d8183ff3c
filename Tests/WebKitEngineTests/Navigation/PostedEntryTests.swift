import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct PostedEntryTests {
  private let url = "http://site.test/a"
  private let cancelled = LoadError(.cancelled, "cancelled")

  private func sent() -> PostedEntry {
    var entry = PostedEntry()
    entry.send(url: url)
    return entry
  }

  @Test func aSecondPostIsOneAndHidesTheReason() {
    var entry = sent()
    #expect(entry.isRepeated(by: url, isRedirect: false) == false)
    #expect(entry.failed(cancelled, isLoading: false) == true)
    #expect(entry.isRepeated(by: url, isRedirect: true) == false)
    #expect(entry.isRepeated(by: "http://site.test/b", isRedirect: false) == false)
    #expect(entry.isRepeated(by: url, isRedirect: false) == true)
    #expect(entry.settle() == .failedUnexplained)
    #expect(entry.settle() == nil)
    #expect(entry.isRepeated(by: url, isRedirect: false) == false)
  }

  @Test func aLoadThatThePageStoppedIsCancelled() {
    var entry = sent()
    #expect(entry.failed(cancelled, isLoading: false) == true)
    #expect(entry.settle() == .failed(cancelled))
  }

  @Test func otherFailuresAreToldAsTheyAre() {
    var entry = sent()
    #expect(entry.failed(cancelled, isLoading: true) == false)
    #expect(entry.failed(LoadError(.tlsError, ""), isLoading: false) == false)
    entry.forget()
    #expect(entry.failed(cancelled, isLoading: false) == false)
    var none = PostedEntry()
    #expect(none.failed(cancelled, isLoading: false) == false)
    #expect(none.settle() == nil)
  }
}
