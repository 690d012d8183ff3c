import Testing
import WebViewTesting

@testable import WebViewCore

@Suite struct EventJournalTests {
  private let first = ControllerID(text: "first")
  private let second = ControllerID(text: "second")

  private func numbers(
    _ journal: EventJournal, of id: ControllerID?, since: Int?, run: Bool = true, limit: Int = .max
  )
    -> (sequences: [Int], next: Int, gap: ClosedRange<Int>?)
  {
    let found = journal.entries(of: id, since: since, isSameRun: run, limit: limit) { _ in true }
    return (found.entries.map(\.sequence), found.next, found.gap)
  }

  @Test func oneOrderOverAllControllers() {
    var journal = EventJournal(limit: 10)
    for id in [first, second, first] { _ = journal.append(ControllerEvent(.loadStart), of: id) }
    #expect(numbers(journal, of: nil, since: nil).sequences == [1, 2, 3])
    #expect(numbers(journal, of: first, since: nil).sequences == [1, 3])
    #expect(numbers(journal, of: first, since: 1).sequences == [3])
    #expect(numbers(journal, of: second, since: 2).next == 3)
  }

  @Test func whatTheJournalNoLongerHasIsAGap() {
    var journal = EventJournal(limit: 3)
    for _ in 0..<10 { _ = journal.append(ControllerEvent(.loadStart), of: first) }
    #expect(numbers(journal, of: first, since: 2).sequences == [8, 9, 10])
    #expect(numbers(journal, of: first, since: 2).gap == 3...7)
    #expect(numbers(journal, of: first, since: 7).gap == nil)
    #expect(numbers(journal, of: first, since: nil).gap == nil, "whoever has nothing misses nothing")
  }

  @Test func aBusyControllerCostsTheOthersNothing() {
    var journal = EventJournal(limit: 3)
    _ = journal.append(ControllerEvent(.loadStart), of: second)
    for _ in 0..<10 { _ = journal.append(ControllerEvent(.loadStart), of: first) }
    #expect(numbers(journal, of: second, since: 0).sequences == [1])
    #expect(numbers(journal, of: second, since: 0).gap == nil)
  }

  @Test func anotherRunIsAGapAndReplaysEverything() {
    var journal = EventJournal(limit: 3)
    for _ in 0..<2 { _ = journal.append(ControllerEvent(.loadStart), of: first) }
    #expect(numbers(journal, of: nil, since: 1, run: false).sequences == [1, 2])
    #expect(numbers(journal, of: nil, since: 1, run: false).gap == 0...0)
    #expect(numbers(journal, of: nil, since: 99).gap == 0...0, "a number of the future is of another run")
  }

  @Test func aPageContinuesWhereTheLastOneEnded() {
    var journal = EventJournal(limit: 10)
    for _ in 0..<5 { _ = journal.append(ControllerEvent(.loadStart), of: first) }
    let page = numbers(journal, of: nil, since: 0, limit: 2)
    #expect(page.sequences == [1, 2])
    #expect(page.next == 2)
    #expect(numbers(journal, of: nil, since: page.next, limit: 9).sequences == [3, 4, 5])
  }

  @Test func theLastEventsOfDisposedControllersAreKeptUnderOneLimit() {
    var journal = EventJournal(limit: 3)
    for id in [first, second, first] { _ = journal.append(ControllerEvent(.disposed), of: id) }
    journal.end(first)
    journal.end(second)
    #expect(numbers(journal, of: nil, since: nil).sequences == [1, 2, 3])
    #expect(numbers(journal, of: first, since: nil).sequences == [1, 3])
    let third = ControllerID(text: "third")
    _ = journal.append(ControllerEvent(.disposed), of: third)
    journal.end(third)
    #expect(numbers(journal, of: nil, since: 0).sequences == [2, 3, 4])
    #expect(numbers(journal, of: nil, since: 0).gap == 1...1)
  }

  @Test(arguments: 0..<20) func whatIsNotReplayedIsInTheGap(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var journal = EventJournal(limit: 8)
    let ids = (0..<4).map { ControllerID(text: "\($0)") }
    for _ in 0..<Int.random(in: 1..<120, using: &random) {
      let id = ids.randomElement(using: &random) ?? ids[0]
      if Int.random(in: 0..<20, using: &random) == 0 {
        journal.end(id)
      } else {
        _ = journal.append(ControllerEvent(.commit), of: id)
      }
    }
    let since = Int.random(in: 0...journal.sequence, using: &random)
    let found = numbers(journal, of: nil, since: since)
    let told = Set(found.sequences).union(found.gap.map(Set.init) ?? [])
    #expect(Set(since..<journal.sequence).allSatisfy { told.contains($0 + 1) })
    #expect(found.sequences == found.sequences.sorted())
  }
}
