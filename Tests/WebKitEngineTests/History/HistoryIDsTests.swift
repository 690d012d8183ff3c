import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct HistoryIDsTests {
  @Test func anEntryKeepsItsNameWhileItIsThereAndNoNameComesTwice() {
    var ids = HistoryIDs<String>()
    let first = ids.update(["a", "b", "c"])
    #expect(Set(first).count == 3)
    #expect(ids.update(["a", "b", "c"]) == first)
    let branched = ids.update(["a", "b", "d"])
    #expect(branched[..<2] == first[..<2])
    #expect(!first.contains(branched[2]))
    let shifted = ids.update(["b", "d", "e"])
    #expect(shifted[..<2] == branched[1...])
    // An object at the address of one that is gone is another entry.
    let again = ids.update(["b", "d", "e", "c"])
    #expect(!first.contains(again[3]))
  }

  @Test func namesOfTwoPagesDiffer() {
    var one = HistoryIDs<String>()
    var other = HistoryIDs<String>()
    #expect(one.update(["a"]) != other.update(["a"]))
    #expect(
      one.update(["a"])[0].text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    )
  }
}
