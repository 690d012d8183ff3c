import Testing

@testable import WebKitEngine

@Suite struct PageProcessesTests {
  @Test func theProcessOfAPageIsTheOneThatItWasMadeIn() {
    var processes = PageProcesses<String>()
    #expect(processes[1] == nil)
    let first = processes.started("first")
    #expect(processes[1] == "first", "nothing was told yet")
    processes.pageCreated(1, in: first)
    let second = processes.started("second")
    #expect(processes[1] == "first", "the document is where it was")
    processes.pageCreated(2, in: second)
    #expect(processes[1] == "first" && processes[2] == "second")
    #expect(processes.all == ["first", "second"])
    #expect(processes[3] == nil)
  }

  @Test func aNavigationEndsWithTheProcessThatWasStartedForIt() {
    var (processes, second) = Self.leadingOn()
    let ends = [processes.ended(second, page: 1), processes.ended(second, page: 1)]
    #expect(ends == [.ofNavigation, .other], "it ended once")
    #expect(processes.all == ["first"])
  }

  @Test func ofTheProcessThatHasTheDocumentTheEngineTells() {
    var processes = PageProcesses<String>()
    let first = processes.started("first")
    processes.pageCreated(1, in: first)
    let end = processes.ended(first, page: 1)
    #expect(end == .ofPage)
    #expect(processes[1] == nil)
  }

  @Test func whatWasStartedForAnOlderNavigationMayGo() {
    var processes = Self.showing()
    processes.navigationChanged()
    let second = processes.started("second")
    processes.navigationChanged()
    processes.pageCreated(2, in: second)
    let end = processes.ended(second, page: 1)
    #expect(end == .other)
  }

  @Test func aProcessMayBeUsedAgain() {
    var processes = PageProcesses<String>()
    let first = processes.started("first")
    processes.pageCreated(1, in: first)
    processes.navigationChanged()
    let second = processes.started("second")
    processes.pageCreated(2, in: second)
    processes.navigationChanged()
    processes.pageCreated(3, in: first)
    #expect(processes[3] == "first")
    let end = processes.ended(first, page: 2)
    #expect(end == .ofNavigation)
  }

  @Test func whoIsNotKnownHasNoEffect() {
    var processes = PageProcesses<String>()
    processes.pageCreated(1, in: 7)
    let end = processes.ended(7, page: 1)
    #expect(processes[1] == nil && end == .other)
  }

  @Test func theProcessOfAWorkerIsNoPages() {
    var processes = PageProcesses<String>()
    let first = processes.started("first")
    #expect(processes.ofPages == ["first"])
    processes.pageCreated(1, in: first)
    _ = processes.started("worker")
    #expect(processes.ofPages == ["first"])
  }

  /// WebKit may start it for what any document in the page's context asks for.
  @Test func theProcessOfAWorkerHidesNoEnd() {
    var (processes, second) = Self.leadingOn()
    _ = processes.started("worker")
    let end = processes.ended(second, page: 1)
    #expect(end == .ofNavigation)
    #expect(processes.successor == .perhaps, "it may be no worker's")
  }

  @Test func theEndOfAWorkersProcessEndsNoNavigationWhoseProcessIsKnown() {
    var processes = Self.showing()
    processes.navigationChanged()
    let worker = processes.started("worker")
    let second = processes.started("second")
    processes.pageCreated(2, in: second)
    let end = processes.ended(worker, page: 1)
    #expect(end == .other)
    let later = processes.started("worker")
    let laterEnd = processes.ended(later, page: 1)
    #expect(laterEnd == .ofNavigation && processes.successor == .certain)
  }

  /// WebKit may end the one before when it starts the next one.
  @Test func aNavigationThatAResponseLeadsOnHasItsNextProcess() {
    var (processes, second) = Self.leadingOn()
    let third = processes.started("third")
    let end = processes.ended(second, page: 1)
    #expect(end == .ofNavigation && processes.successor == .perhaps)
    processes.pageCreated(3, in: third)
    #expect(processes.successor == .certain)
    let nextEnd = processes.ended(third, page: 1)
    #expect(nextEnd == .ofNavigation && processes.successor == .none)
  }

  @Test func whatTheNavigationLeftOnItsWayMayGo() {
    var (processes, second) = Self.leadingOn()
    let third = processes.started("third")
    processes.pageCreated(3, in: third)
    let end = processes.ended(second, page: 1)
    #expect(end == .other, "the document is to come in the third")
  }

  @Test func aPageThatIsToldLateLeavesTheNewerProcessToItsNavigation() {
    var processes = Self.showing()
    let second = processes.started("second")
    processes.navigationChanged()
    let third = processes.started("third")
    processes.pageCreated(2, in: second)
    let end = processes.ended(third, page: 1)
    #expect(end == .ofNavigation)
  }

  @Test func whatKeepsDocumentsIsEachThatHadAPageButNotTheViews() {
    var processes = PageProcesses<String>()
    let first = processes.started("first")
    processes.pageCreated(1, in: first)
    #expect(processes.kept(besides: 1).isEmpty)
    let second = processes.started("second")
    processes.pageCreated(2, in: second)
    _ = processes.started("worker")
    #expect(processes.kept(besides: 1) == ["second"])
    #expect(processes.kept(besides: 2) == ["first"])
    #expect(processes.kept(besides: 3) == ["first", "second"])
    _ = processes.ended(first, page: 2)
    #expect(processes.kept(besides: 2).isEmpty)
  }

  /// The page's document is in a process of its own.
  private static func showing() -> PageProcesses<String> {
    var processes = PageProcesses<String>()
    let first = processes.started("first")
    processes.pageCreated(1, in: first)
    return processes
  }

  /// A navigation began since, whose document is to come in a second one.
  private static func leadingOn() -> (PageProcesses<String>, second: UInt) {
    var processes = showing()
    processes.navigationChanged()
    let second = processes.started("second")
    processes.pageCreated(2, in: second)
    return (processes, second)
  }
}
