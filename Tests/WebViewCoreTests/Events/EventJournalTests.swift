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

  @Test func whatADisposedControllerHadLostIsAGap() {
    var journal = EventJournal(limit: 3)
    for _ in 0..<5 { _ = journal.append(ControllerEvent(.commit), of: first) }
    journal.end(first)
    for id in [nil, first] {
      #expect(numbers(journal, of: id, since: 0).sequences == [3, 4, 5])
      #expect(numbers(journal, of: id, since: 0).gap == 1...2)
    }
  }

  @Test func aControllerWithoutEventsHasLostNone() {
    var journal = EventJournal(limit: 3)
    for _ in 0..<5 { _ = journal.append(ControllerEvent(.commit), of: first) }
    journal.end(first)
    journal.begin(second)
    #expect(numbers(journal, of: second, since: 0).gap == nil)
  }

  @Test func largeEventsAreFewer() {
    var journal = EventJournal(limit: 100, byteLimit: 100_000)
    var state = WebViewState()
    for length in [10, 60_000, 10, 60_000, 10, 200_000] {
      state.url = String(repeating: "u", count: length)
      _ = journal.append(ControllerEvent(.stateChange, state: state), of: first)
    }
    #expect(numbers(journal, of: first, since: 0).sequences == [6], "the last one stays, whatever its size")
    #expect(numbers(journal, of: first, since: 0).gap == 1...5)
    _ = journal.append(ControllerEvent(.stateChange), of: second)
    journal.end(first)
    journal.end(second)
    #expect(numbers(journal, of: nil, since: 0).sequences == [7])
    #expect(numbers(journal, of: nil, since: 0).gap == 1...6)
  }

  @Test(arguments: 0..<20) func whatIsNotReplayedIsInTheGap(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var journal = EventJournal(limit: 8)
    var owners: [ControllerID: [Int]] = [:]
    var live = (0..<4).map { ControllerID(text: "\($0)") }
    for turn in 0..<Int.random(in: 1..<120, using: &random) {
      let index = Int.random(in: 0..<live.count, using: &random)
      if Int.random(in: 0..<20, using: &random) == 0 {
        journal.end(live[index])
        live[index] = ControllerID(text: "after \(turn)")
      } else {
        let entry = journal.append(ControllerEvent(.commit), of: live[index])
        owners[live[index], default: []].append(entry.sequence)
      }
    }
    let since = Int.random(in: 0...journal.sequence, using: &random)
    func told(_ id: ControllerID?) -> Set<Int> {
      let found = numbers(journal, of: id, since: since)
      #expect(found.sequences == found.sequences.sorted())
      return Set(found.sequences).union(found.gap.map(Set.init) ?? [])
    }
    #expect(told(nil).isSuperset(of: (since..<journal.sequence).map { $0 + 1 }))
    for (id, sequences) in owners {
      #expect(told(id).isSuperset(of: sequences.filter { $0 > since }), "\(id)")
    }
  }
}
