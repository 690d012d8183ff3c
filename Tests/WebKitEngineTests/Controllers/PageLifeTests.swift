import Foundation
import Glibc
import Testing
import WebViewCore

@testable import WebKitEngine

@PageActor
@Suite(.serialized) struct PageLifeTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  @Test func aNewPageIsBlankAndSilent() async throws {
    let page = try EngineHarness.page()
    #expect(
      await page.json("return [document.readyState, location.href, innerWidth, innerHeight]")
        == "[\"complete\",\"about:blank\",1280,800]")
    #expect(page.events.isEmpty)
    #expect(
      page.page.url == nil && !page.page.canGoBack && !page.page.isLoading && page.page.estimatedProgress == 0
    )
    let html = await withCheckedContinuation { done in page.page.html { done.resume(returning: $0) } }
    #expect(html == .success(nil))
    try await page.load(site.url("/a"))
    #expect(!page.page.canGoBack)
    #expect(
      await page.json("return [history.length, document.hasFocus(), document.visibilityState]")
        == "[1,true,\"visible\"]")
  }

  @Test func htmlIsTheEnginesSerialization() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let html = await withCheckedContinuation { done in page.page.html { done.resume(returning: $0) } }
    #expect(
      html
        == .success(
          "<!DOCTYPE html><html><head><title>/a</title></head><body>page /a <a id=\"l\" href=\"/b\">l</a></body></html>"
        ))
  }

  @Test func markupThatIsTooLargeStaysInThePage() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    for letter in ["a", "é"] {
      _ = await page.json("document.body.textContent = l.repeat(n)") {
        $0.arguments = [.init(name: "l", value: .string(letter)), .init(name: "n", value: 40_000_000)]
      }
      let html = await withCheckedContinuation { done in page.page.html { done.resume(returning: $0) } }
      switch html {
      case .success(let text): #expect(letter == "a" && (text ?? "").utf8.count > 40_000_000)
      case .failure(let failure):
        guard case .tooLarge(let size, let limit) = failure else { throw failure }
        #expect(letter == "é" && size > 80_000_000 && limit == 64 << 20)
      }
    }
  }

  @Test func aTitleOfAnyLengthIsToldOnce() async throws {
    let page = try EngineHarness.page()
    let title = String(repeating: "t", count: 5_000)
    try await page.after { $0.load(.html("<title>\(title)</title>", baseURL: nil)) }
    let told = try #require(page.page.title)
    #expect(told.count == 1_000)
    await page.settle()
    #expect(page.page.title == told)
  }

  @Test func aKilledProcessIsToldAndTheNextLoadWorks() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let process = try #require(page.page.processIdentifier)
    page.forget()
    kill(process, SIGKILL)
    try await page.waitForEnd()
    #expect(page.story == "gone(crashed)")
    #expect(page.page.url == site.url("/a") && !page.page.isLoading && page.page.title == nil)
    #expect(page.page.processIdentifier == nil)
    #expect(await page.evaluate("return 1") == .failure(.processTerminated))
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    let next = try #require(page.page.processIdentifier)
    #expect(next != process)

    page.forget()
    page.page.load(.url(site.url("/held?life")))
    try await page.wait { $0.contains(.started(url: self.site.url("/held?life"))) }
    kill(next, SIGKILL)
    try await page.waitForEnd()
    #expect(page.story == "W(/held?life) S(/held?life) gone(crashed)")
    site.release("/held?life")
  }

  @Test func aPageThatEndsItsOwnProcessIsToldOf() async throws {
    // The engine evaluates an expression by recursion, however deep.
    let end = "document.evaluate('1' + '+1'.repeat(100000), document, null, 1, null)"
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let pending = page.begin("await new Promise(() => {})")
    page.forget()
    #expect(await page.evaluate(end) == .failure(.processTerminated))
    #expect(await page.result(of: pending) == .failure(.processTerminated))
    try await page.waitForEnd()
    #expect(page.story == "gone(crashed)")
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    let story = try await page.after {
      $0.load(.html("<script>\(end)</script>", baseURL: site.url("/own")))
    }
    #expect(story.hasSuffix(" gone(crashed)") && !story.contains(" F("), "\(story)")
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
  }

  @Test func callsInFlightFailWithTheirProcess() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let pending = page.begin("await new Promise(() => {})")
    await page.settle()
    page.page.terminateWebProcess()
    #expect(await page.result(of: pending) == .failure(.processTerminated))
    try await page.waitForEnd()
  }

  @Test func aHungPageCanBeEndedAndLoadedAgain() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.forget()
    let hung = page.begin("while (true) {}")
    var probed = false
    page.page.probe { probed = true }
    page.page.terminateWebProcess()
    #expect(page.events.isEmpty, "told from inside of the call")
    page.page.load(.url(site.url("/b")))
    try await page.wait { $0.contains(.finished(url: self.site.url("/b"))) }
    #expect(page.story == "gone(requested) W(/b) S(/b) A(200) C(/b) D F(/b)")
    #expect(await page.result(of: hung) == .failure(.processTerminated))
    #expect(!probed)
  }

  @Test func closingEndsAHungProcess() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    let process = try #require(page.page.processIdentifier)
    let hung = page.begin("while (true) {}")
    page.page.close()
    try await EngineHarness.gone([process])
    _ = await page.result(of: hung)
    #expect(page.page.processIdentifier == nil)
  }

  @Test func aClosedPageIsInert() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    page.page.load(.url(site.url("/b")))
    page.page.close()
    page.page.close()
    page.forget()
    page.page.load(.url(site.url("/c")))
    page.page.reload(fromOrigin: false)
    page.page.stopLoading()
    page.page.terminateWebProcess()
    page.page.removeMessageHandler(name: "h", contentWorld: .page)
    await page.page.apply(SettingsPatch())
    #expect(!page.page.goBack() && !page.page.goForward() && !page.page.addMessageHandler(.init(name: "h")))
    #expect(!page.page.canGoBack && !page.page.isLoading && page.page.estimatedProgress == 0)
    #expect(!page.page.hasOnlySecureContent && page.page.processIdentifier == nil)
    #expect(await page.evaluate("return 1") == .failure(.processTerminated))
    #expect(page.events.isEmpty)
  }

  @Test func aPageThatIsClosedBeforeItOpenedRefusesWhatItHeld() async throws {
    let page = try EngineHarness.page()
    page.page.load(.url(site.url("/a")))
    let held = page.begin("return 1")
    page.page.close()
    #expect(held.result == .failure(.processTerminated))
    #expect(await page.evaluate("return 1") == .failure(.processTerminated))
    #expect(page.events.isEmpty)
  }

  @Test func anEphemeralStoreEndsWithItsLastPage() async throws {
    var network: [Int32] = []
    do {
      // Without a turn of the loop in between: whatever is new belongs to this store.
      let known = Set(WebProcesses.children(of: getpid()))
      let store = try EngineHarness.engine().makeEphemeralStore()
      network = WebProcesses.children(of: getpid()).filter { !known.contains($0) }
      let page = try EngineHarness.page(in: store)
      try await page.load(site.url("/a"))
      page.page.close()
    }
    #expect(network.count == 1)
    try await EngineHarness.gone(network)
  }

  @Test func settingsAreInForceWhenApplyReturns() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    for (width, height) in [(100, 100), (3000, 2000), (10_000, 50), (50, 10_000), (1, 1), (800, 600)] {
      var patch = SettingsPatch()
      patch.viewport = Viewport(width: width, height: height)
      await page.page.apply(patch)
      #expect(await page.json("return [innerWidth, innerHeight]") == "[\(width),\(height)]")
    }
    var patch = SettingsPatch()
    patch.pageZoom = 2
    patch.customUserAgent = "Test/1"
    await page.page.apply(patch)
    #expect(await page.json("return [innerWidth, innerHeight]") == "[400,300]")
    try await page.load(site.url("/echo"))
    #expect(
      await page.json("return /User-Agent: (.*)/.exec(document.body.innerText)[1] + navigator.userAgent")
        == "\"Test/1Test/1\"")
    patch.customUserAgent = .some(nil)
    await page.page.apply(patch)
    try await page.load(site.url("/echo"))
    #expect(await page.json("return navigator.userAgent.startsWith('Mozilla/5.0')") == "true")
    #expect(page.page.settings.pageZoom == 2 && page.page.settings.customUserAgent == nil)
  }

  @Test func promptsNeverBlockAPage() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    #expect(
      await page.json("alert(1); return [confirm('x'), prompt('y', 'z'), window.open('/b')]")
        == "[false,null,null]")
    #expect(await page.json("print(); return 1") == "1")
    page.forget()
    #expect(
      await page.json(
        "const a = document.createElement('a'); a.href = '/b'; a.download = 'x'; document.body.append(a); a.click(); return 1"
      )
        == "1")
    await page.settle()
    #expect(page.story == "")
    #expect(await page.json("onbeforeunload = e => { e.preventDefault(); return 'stay' }; return 1") == "1")
    #expect(try await page.load(site.url("/401")) == "W(/401) S(/401) A(401) C(/401) D F(/401)")
    #expect(await page.json("return (await fetch('/401')).status") == "401")
  }

  @Test func pagesPaintAndAnimateOneOverTheOther() async throws {
    let store = try EngineHarness.engine().makeEphemeralStore()
    let pages = try (0..<5).map { _ in try EngineHarness.page(in: store) }
    for page in pages { try await page.load(site.url("/a")) }
    for page in pages {
      let frames = await page.json(
        "let n = 0; for (; n < 10; n++) await new Promise(requestAnimationFrame); return n")
      #expect(frames == "10")
    }
  }

  @Test func mediaLoads() async throws {
    let page = try EngineHarness.page()
    try await page.load(site.url("/a"))
    // A second of silence: 8 kHz, 8 bit, mono.
    let told = await page.json(
      """
      const n = 8000, b = new DataView(new ArrayBuffer(44 + n)), w = (o, s) => [...s].forEach((c, i) => b.setUint8(o + i, c.charCodeAt(0)));
      w(0, 'RIFF'); b.setUint32(4, 36 + n, true); w(8, 'WAVEfmt '); b.setUint32(16, 16, true); b.setUint16(20, 1, true);
      b.setUint16(22, 1, true); b.setUint32(24, 8000, true); b.setUint32(28, 8000, true); b.setUint16(32, 1, true); b.setUint16(34, 8, true);
      w(36, 'data'); b.setUint32(40, n, true); for (let i = 0; i < n; i++) b.setUint8(44 + i, 128);
      const a = new Audio(URL.createObjectURL(new Blob([b.buffer], {type: 'audio/wav'}))); document.body.append(a); a.load();
      return await new Promise(r => { a.onloadedmetadata = () => r(Math.round(a.duration)); a.onerror = () => r('error ' + a.error.code) })
      """)
    #expect(told == "1")
  }

  @Test func hundredPagesLeaveNothingBehind() async throws {
    let store = try EngineHarness.engine().makeEphemeralStore()
    let first = try EngineHarness.page(in: store)
    try await first.load(site.url("/a"))
    let descriptors = descriptors()
    var processes: [Int32] = []
    for _ in 0..<100 {
      let page = try EngineHarness.page(in: store)
      try await page.load(site.url("/a"))
      processes.append(try #require(page.page.processIdentifier))
      page.page.close()
    }
    #expect(Set(processes).count == 100)
    try await EngineHarness.gone(processes)
    await first.settle()
    #expect(self.descriptors() <= descriptors + 4)
  }

  /// Open ones but for the kernel's files, which WebKit's memory watch opens once, at a time of its own.
  private func descriptors() -> Int {
    ProcessFiles.entries("/proc/self/fd").count {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      return target?.hasPrefix("/proc/") != true && target?.hasPrefix("/sys/") != true
    }
  }
}
