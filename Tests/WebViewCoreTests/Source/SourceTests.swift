import Testing
import WebViewCore
import WebViewTesting

@PageActor
@Suite struct SourceTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)

  private func loaded(
    _ type: String?, mimeType: String? = "text/html", headers more: [MainResourceResponse.Header] = [],
    limit: Int = Limits().result, wait: LoadWait = .load
  ) async throws -> (WebViewController, FakePage, TestBench) {
    var limits = Limits()
    limits.result = limit
    let bench = TestBench(limits: limits)
    let (controller, page) = try await bench.makeController()
    let headers = more + (type.map { [.init(name: "content-TYPE", value: $0)] } ?? [])
    let committed: [EnginePageEvent] = [
      .willNavigate(url: url, isRedirect: false), .started(url: url),
      .responded(
        MainResourceResponse(url: url, status: 200, headers: headers, mimeType: mimeType, encoding: nil)),
      .committed(url: url),
    ]
    page.script = committed + (wait == .load ? [.finished(url: url)] : [])
    _ = try await controller.load(.url(url), wait: PageWait(wait), deadline: soon)
    page.mainResource = .success([1, 2])
    return (controller, page, bench)
  }

  @Test(arguments: [
    ("Text/HTML; charset=x", "Text/HTML; charset=x"), (nil, "text/html"), ("", "text/html"),
    ("text/pl\u{FFFD}ain", "text/html"), ("a\r\nb", "text/html"),
  ])
  func theTypeIsTheServersOwn(told: String?, expected: String) async throws {
    let (controller, _, _) = try await loaded(told)
    let source = try await controller.source(deadline: soon)
    #expect(source == DocumentSource(bytes: [1, 2], contentType: expected))
  }

  @Test func whatNobodyKnowsIsBytes() async throws {
    let (controller, _, _) = try await loaded(nil, mimeType: nil)
    #expect(try await controller.source(deadline: soon).contentType == "application/octet-stream")
  }

  @Test func givenContentIsWhatWasGiven() async throws {
    let (controller, page, _) = try await loaded("text/plain")
    page.script = EnginePageEvent.simpleLoad("about:blank")
    _ = try await controller.load(.html("<p>é", baseURL: nil), deadline: soon)
    #expect(
      try await controller.source(deadline: soon)
        == DocumentSource(bytes: Array("<p>é".utf8), contentType: "text/html; charset=utf-8"))
    _ = try await controller.load(
      .data([0xFF], mimeType: "text/plain", encoding: "koi8-r", baseURL: "about:blank"), deadline: soon)
    #expect(
      try await controller.source(deadline: soon)
        == DocumentSource(bytes: [0xFF], contentType: "text/plain; charset=koi8-r"))
    #expect(!page.commands.contains(.mainResourceData))
  }

  @Test func beforeTheFirstDocumentThereIsNoneAndAfterTheProcessEndedNoneAnyMore() async throws {
    let bench = TestBench()
    let (fresh, _) = try await bench.makeController()
    let none = await #expect(throws: ServiceError.self) { try await fresh.source(deadline: soon) }
    #expect(none?.code == .notFound && none?.details == ["kind": "document"])
    let (controller, page, _) = try await loaded("text/html")
    page.tell(.processTerminated(.crashed))
    let gone = await #expect(throws: ServiceError.self) { try await controller.source(deadline: soon) }
    #expect(gone?.code == .webContentProcessTerminated)
  }

  @Test func whereADocumentTakesItsPlaceTheAnswerIsThatOnes() async throws {
    let (controller, page, _) = try await loaded("text/html")
    page.mainResource = nil
    let asking = Task { try await controller.source(deadline: soon) }
    await page.gets { $0 == .mainResourceData }
    page.forgetCommands()
    page.mainResource = .success([9])
    page.tell(EnginePageEvent.simpleLoad("http://site.test/b"))
    #expect(try await asking.value.bytes == [9])
  }

  @Test func whatTheHeadSaysIsTooLargeIsNotAskedFor() async throws {
    let (controller, page, _) = try await loaded(
      "text/html", headers: [.init(name: "content-length", value: "4")], limit: 3)
    let error = await #expect(throws: ServiceError.self) { try await controller.source(deadline: soon) }
    #expect(error?.code == .payloadTooLarge && error?.details == ["limit": 3, "size": 4])
    #expect(!page.commands.contains(.mainResourceData))
  }

  @Test(arguments: [
    ([("Content-Length", "3")], LoadWait.load), ([("Content-Length", "x")], .load),
    ([("Content-Length", "4"), ("Content-Encoding", "gzip")], .load), ([("Content-Length", "4")], .commit),
  ])
  func whereTheHeadDoesNotKnowTheBytesAreCounted(headers: [(String, String)], wait: LoadWait) async throws {
    let (controller, page, _) = try await loaded(
      "text/html", headers: headers.map { .init(name: $0.0, value: $0.1) }, limit: 3, wait: wait)
    #expect(try await controller.source(deadline: soon).bytes == [1, 2])
    page.mainResource = .success([1, 2, 3, 4])
    let error = await #expect(throws: ServiceError.self) { try await controller.source(deadline: soon) }
    #expect(error?.details == ["limit": 3, "size": 4])
  }

  @Test func whatIsTooLargeIsRefused() async throws {
    var limits = Limits()
    limits.result = 3
    let bench = TestBench(limits: limits)
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad("about:blank")
    _ = try await controller.load(.html("1234", baseURL: nil), deadline: soon)
    let error = await #expect(throws: ServiceError.self) { try await controller.source(deadline: soon) }
    #expect(error?.code == .payloadTooLarge && error?.details == ["limit": 3, "size": 4])
  }

  @Test func aPageThatDoesNotAnswerIsTimeoutAndProbed() async throws {
    let (controller, page, bench) = try await loaded("text/html")
    page.mainResource = nil
    let asking = Task { try await controller.source(deadline: Deadline(seconds: 5)) }
    await page.gets { $0 == .mainResourceData }
    bench.clock.advance(by: .seconds(6))
    let error = await #expect(throws: ServiceError.self) { try await asking.value }
    #expect(error?.code == .timeout)
    #expect(page.commands.contains(.probe))
  }
}
