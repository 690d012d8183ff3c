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
      // What the process says comes in order: it told who it is before.
      _ = await page.json("return 1")
      let process = try #require(page.page.processIdentifier)
      #expect(process != known.last)
      known.append(process)
    }
    kill(try #require(known.last), SIGKILL)
    try await page.wait("the page's process to end") { $0.contains(.processTerminated(.crashed)) }
    #expect(page.page.processIdentifier == nil)
  }

  @Test func whoIsNoneOfOursIsNotFound() {
    #expect(WebProcesses.find(getpid(), in: ProcessFiles.namespace(of: getpid()) ?? "") == nil)
    #expect(ProcessFiles.innermostIdentifier(of: getpid()) == getpid())
  }
}
