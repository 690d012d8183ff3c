import Glibc
import Testing
import WebViewCore

@testable import WebKitEngine

/// Where a response asks for it, WebKit shows its document in another process.
@PageActor
@Suite(.serialized) struct ExchangedProcessTests {
  @Test func theProcessIsTheOneThatShowsTheDocument() async throws {
    let site = try SlowSite()
    let page = try EngineHarness.page()
    try await page.load(site.url(.fast, number: 0))
    var known = [try #require(page.page.processIdentifier)]
    for number in 1...3 {
      try await page.load(site.url(number % 2 == 0 ? .fast : .otherGroup, number: number))
      let process = try #require(page.page.processIdentifier)
      #expect(process != known.last)
      known.append(process)
    }
    kill(try #require(known.last), SIGKILL)
    try await page.wait("the page's process to end") { $0.contains(.processTerminated(.crashed)) }
    #expect(page.page.processIdentifier == nil)
  }

  enum Begin: CaseIterable { case load, page }

  /// WebKit says nothing of it, and would go on loading for ever.
  @Test(arguments: Begin.allCases) func aLoadEndsWithTheProcessThatItsDocumentWasToComeIn(_ begin: Begin)
    async throws
  {
    let site = try SlowSite()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    var rounds = 0
    for number in 1...20 where rounds < 3 {
      let url = site.url(.otherGroupSlowly, number: number, delay: 2_000)
      try await page.load(site.url(.fast, number: number))
      let process = try #require(page.page.processIdentifier)
      page.forget()
      let known = own.processes.all.count
      switch begin {
      case .load: page.page.load(.url(url))
      case .page: _ = await page.evaluate("location.href = '\(url)'")
      }
      try await EngineHarness.until("a process is started") { own.processes.all.count > known }
      let started = try #require(own.processes.all.last)
      // One that has none is not killed.
      try await EngineHarness.until("the process has a name") { started.identifier != nil }
      // Else it is the page's process by now.
      guard !page.story.contains("C(") else { continue }
      rounds += 1
      started.kill()
      try await page.waitForEnd()
      #expect(page.story.hasSuffix("failed(webContentProcessTerminated \(url))"))
      #expect(page.page.processIdentifier == process && !page.page.isLoading)
      #expect(await page.json("return location.pathname") == "\"/fast\"")
    }
    #expect(rounds == 3)
  }

  /// The process of a load that nobody wants any more ends, too.
  @Test func aLoadDoesNotEndWithTheProcessOfTheOneBefore() async throws {
    let site = try SlowSite()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    var rounds = 0
    for number in 1...20 where rounds < 3 {
      try await page.load(site.url(.fast, number: number))
      page.forget()
      let known = own.processes.all.count
      page.page.load(.url(site.url(.otherGroupSlowly, number: number, delay: 2_000)))
      try await EngineHarness.until("a process is started") { own.processes.all.count > known }
      let started = try #require(own.processes.all.last)
      try await EngineHarness.until("the process has a name") { started.identifier != nil }
      // Else it is the page's process by now.
      guard !page.story.contains("C(") else { continue }
      rounds += 1
      let url = site.url(.slowHead, number: number, delay: 600)
      page.page.load(.url(url))
      started.kill()
      try await page.wait("the load's end") { $0.contains(.finished(url: url)) }
    }
    #expect(rounds == 3)
  }

  /// The document before is kept with its process, which may end just as the page goes back to it.
  @Test func aStepBackEndsThoughTheProcessThatKeptItsDocumentEnds() async throws {
    let site = try SlowSite()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    let url = site.url(.otherGroup, number: 0)
    for number in 1...5 {
      try await page.load(url)
      try await page.load(site.url(.fast, number: number))
      page.forget()
      let kept = own.processes.all.filter { $0.identifier != page.page.processIdentifier }
      #expect(page.page.goBack())
      if number % 2 == 0 { await Task.yield() }
      for process in kept { process.kill() }
      try await page.waitForEnd()
      #expect(page.story.hasSuffix("F(\(url))") && !page.page.isLoading)
    }
  }

  enum Step: CaseIterable { case client, page }

  /// WebKit asks for the document anew, in the page's process, as long as that is there.
  @Test(arguments: Step.allCases)
  func aStepThatBeganGoesOnThoughTheProcessThatKeptItsDocumentEnds(_ step: Step) async throws {
    let site = try SlowSite()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    for number in 1...3 {
      let url = site.url(.otherGroup, number: number)
      try await page.load(url)
      try await page.load(site.url(.fast, number: number))
      page.forget()
      let kept = own.processes.kept(besides: own.pageID)
      #expect(!kept.filter(\.isThere).isEmpty)
      switch step {
      case .client: #expect(page.page.goBack())
      case .page: _ = await page.evaluate("history.back()")
      }
      try await page.wait("the start") { $0.contains(.started(url: url)) }
      for process in kept { process.kill() }
      try await page.waitForEnd()
      #expect(page.story.hasSuffix("F(\(url))") && !page.page.isLoading)
    }
  }

  /// WebKit would go back to it, and show a blank one in its place.
  @Test(arguments: [false, true]) func aDocumentThatAnotherProcessKeptIsLoadedOnceThePageLostItsOwn(
    _ isAtOnce: Bool
  ) async throws {
    let site = try SlowSite()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    let url = site.url(.otherGroup, number: 0)
    for number in 1...5 {
      try await page.load(url)
      try await page.load(site.url(.fast, number: number))
      page.forget()
      kill(try #require(page.page.processIdentifier), SIGKILL)
      try await page.wait("the end of the process") { $0.contains(.processTerminated(.crashed)) }
      if !isAtOnce { try await EngineHarness.until("the others end") { own.processes.all.isEmpty } }
      page.forget()
      #expect(page.page.goBack())
      try await page.waitForEnd()
      #expect(page.story.hasSuffix("D F(\(url))"))
      #expect(await page.json("return location.href") == "\"\(url)\"")
    }
  }
}
