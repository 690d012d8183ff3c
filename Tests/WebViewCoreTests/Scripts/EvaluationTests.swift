import Testing
import WebViewCore
import WebViewTesting

@PageActor
@Suite struct EvaluationTests {
  private let url = "http://site.test/a"
  private let soon = Deadline(seconds: 60)
  private let script = JavaScriptCall(.functionBody("return 1"))

  private func loaded(_ limits: Limits = Limits()) async throws -> (TestBench, WebViewController, FakePage) {
    let bench = TestBench(limits: limits)
    let (controller, page) = try await bench.makeController()
    page.script = EnginePageEvent.simpleLoad(url)
    _ = try await controller.load(.url(url), deadline: soon)
    return (bench, controller, page)
  }

  @Test func beforeTheFirstLoadScriptsRunInAnEmptyDocument() async throws {
    let bench = TestBench()
    let (controller, page) = try await bench.makeController()
    page.evaluation = .success(.json("1"))
    #expect(try await controller.evaluate(script, deadline: soon) == .json("1"))
  }

  @Test func aNewDocumentCancelsTheScriptsOfTheOldOne() async throws {
    let (_, controller, page) = try await loaded()
    let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    page.tell(.started(url: url))
    #expect(page.commands.contains(.evaluate(script)))
    page.tell(.committed(url: url))
    let error = await #expect(throws: ServiceError.self) { try await evaluation.value }
    #expect(error?.code == .cancelled)
    page.answerEvaluations(.success(.undefined))
  }

  @Test func htmlOfAReplacedDocumentIsTheNewOnes() async throws {
    let (_, controller, page) = try await loaded()
    page.document = nil
    let html = Task { try await controller.html(deadline: soon) }
    await page.gets { $0 == .html }
    page.document = "<p>new</p>"
    page.tell(.started(url: url), .committed(url: url))
    #expect(try await html.value == "<p>new</p>")
  }

  @Test func textOfAReplacedDocumentIsTheNewOnes() async throws {
    let (_, controller, page) = try await loaded()
    let text = Task { try await controller.text(deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    page.evaluation = .success(.json(#""new""#))
    page.tell(.started(url: url), .committed(url: url))
    #expect(try await text.value == "new")
  }

  @Test func aCallerThatLeavesIsAnsweredAtOnce() async throws {
    let (_, controller, page) = try await loaded()
    let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    evaluation.cancel()
    await #expect(throws: CancellationError.self) { try await evaluation.value }
    page.answerEvaluations(.success(.undefined))
  }

  @Test func aThrownErrorIsToldWithItsParts() async throws {
    let (_, controller, page) = try await loaded()
    page.evaluation = .failure(
      .exception(JavaScriptException(name: "TypeError", message: "no", line: 3, column: 4)))
    let error = await #expect(throws: ServiceError.self) {
      try await controller.evaluate(script, deadline: soon)
    }
    #expect(error?.code == .javaScriptError)
    #expect(error?.message == "TypeError: no")
    #expect(error?.details["line"] == 3)
    #expect(error?.details["stack"] == .null)
  }

  @Test(arguments: [
    (EvaluationFailure.notSerializable(path: "/a/0", reason: "a function"), ErrorCode.serializationError),
    (.tooLarge(size: 9, limit: 8), .payloadTooLarge), (.engine("switched off"), .unsupported),
  ])
  func engineFailuresHaveTheirCode(failure: EvaluationFailure, code: ErrorCode) async throws {
    let (_, controller, page) = try await loaded()
    page.evaluation = .failure(failure)
    let error = await #expect(throws: ServiceError.self) {
      try await controller.evaluate(script, deadline: soon)
    }
    #expect(error?.code == code)
  }

  @Test func theReasonOfAnEndedProcessIsWaitedFor() async throws {
    let (_, controller, page) = try await loaded()
    page.evaluation = .failure(.processTerminated)
    let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    page.tell(.processTerminated(.memory))
    let error = await #expect(throws: ServiceError.self) { try await evaluation.value }
    #expect(error?.details["reason"] == "memory")
  }

  @Test func anEndedProcessThatNothingIsToldOfIsCalledCrashed() async throws {
    let (bench, controller, page) = try await loaded()
    page.evaluation = .failure(.processTerminated)
    let evaluation = Task { try await controller.evaluate(script, deadline: soon) }
    await page.gets { if case .evaluate = $0 { true } else { false } }
    bench.clock.advance(by: .seconds(1))
    let error = await #expect(throws: ServiceError.self) { try await evaluation.value }
    #expect(error?.details["reason"] == "crashed")
  }

  @Test func scriptsAndDocumentsAboveTheirLimitsAreRefused() async throws {
    var limits = Limits()
    limits.script = 8
    limits.result = 5
    let (_, controller, page) = try await loaded(limits)
    let script = await #expect(throws: ServiceError.self) {
      try await controller.evaluate(JavaScriptCall(.expression("123456789")), deadline: soon)
    }
    #expect(script?.code == .payloadTooLarge)
    #expect(script?.details == ["limit": 8, "size": 9, "pointer": "/expression"])
    page.document = "<html>"
    let html = await #expect(throws: ServiceError.self) { try await controller.html(deadline: soon) }
    #expect(html?.code == .payloadTooLarge)
  }
}
