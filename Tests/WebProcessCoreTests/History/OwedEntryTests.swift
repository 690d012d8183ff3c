import Testing
import WebProcessCore

@Suite struct OwedEntryTests {
  @Test func theAwaitedDocumentAddsOne() {
    var entry = OwedEntry()
    entry.await(1)
    #expect(entry.documentBegan(isOfHistory: true) == true)
    #expect(entry.documentIsThere(1, isOfHistory: true) == false, "it has one")
    #expect(entry.documentBegan(isOfHistory: true) == false, "it came by an entry of the list")
  }

  /// WebKit takes the entry for an address then.
  @Test func theFirstDocumentOfAProcessThatWasStartedForItAddsOne() {
    var entry = OwedEntry()
    entry.awaitFirst(1)
    entry.await(1)
    #expect(entry.documentBegan(isOfHistory: false) == true)
    entry.await(2)
    #expect(entry.documentBegan(isOfHistory: false) == false, "it is not the first")
  }

  @Test func theFirstDocumentOfAnotherLoadDoesNot() {
    var entry = OwedEntry()
    entry.awaitFirst(1)
    entry.await(2)
    #expect(entry.documentBegan(isOfHistory: false) == false)
    entry = OwedEntry()
    entry.awaitFirst(nil)
    entry.await(1)
    #expect(entry.documentBegan(isOfHistory: false) == false)
  }

  @Test func aDocumentThatTookItsPlaceDoesNot() {
    var entry = OwedEntry()
    entry.await(1)
    #expect(entry.documentBegan(isOfHistory: false) == false)
    #expect(entry.documentBegan(isOfHistory: true) == false)
  }

  @Test func aStepToAnEntryOfTheListDoesNot() {
    var entry = OwedEntry()
    entry.await(1)
    entry.await(nil)
    #expect(entry.documentBegan(isOfHistory: true) == false)
  }

  @Test func aDocumentOfAnotherProcessAddsOneOnceItIsThere() {
    var entry = OwedEntry()
    #expect(entry.documentBegan(isOfHistory: true) == false)
    #expect(entry.documentIsThere(2, isOfHistory: true) == true)
    #expect(entry.documentIsThere(2, isOfHistory: true) == false)
  }

  @Test func whatFollowedADocumentMeanwhileDoesNot() {
    var entry = OwedEntry()
    #expect(entry.documentIsThere(2, isOfHistory: false) == false)
  }
}
