import Testing
import WebViewTesting

@testable import WebKitEngine

@Suite struct PagePhaseTests {
  @Test func whatWaitsForTheFirstDocumentBeginsWithItInOrder() {
    var phase = PagePhase<String>()
    #expect(!phase.isReady && phase.hasProcess && !phase.needsProcess && !phase.isClosed)
    #expect(phase.hold(call: "a") == true)
    #expect(phase.hold(load: "load") == true)
    #expect(phase.hold(call: "b") == true)
    #expect(phase.opened() == ["a", "b", "load"])
    #expect(phase.isReady && phase.hasProcess)
    #expect(phase.hold(call: "c") == false)
    #expect(phase.hold(load: "load") == false)
    #expect(phase.opened() == [])
  }

  @Test func theNewestLoadCounts() {
    var phase = PagePhase<Int>()
    #expect(phase.hold(load: 1) == true)
    #expect(phase.hold(load: 2) == true)
    #expect(phase.opened() == [2])
    var stopped = PagePhase<Int>()
    #expect(stopped.hold(load: 1) == true)
    stopped.dropLoad()
    #expect(stopped.opened() == [])
  }

  @Test func theEndOfAProcessThatNobodySawOpensThePage() {
    var phase = PagePhase<Int>()
    #expect(phase.hold(call: 1) == true)
    #expect(phase.hold(load: 2) == true)
    guard case .unseen([1, 2]) = phase.processEnded() else {
      Issue.record("what was held does not begin")
      return
    }
    #expect(phase.isReady && !phase.hasProcess && phase.needsProcess && phase.processGeneration == 1)
    #expect(phase.opened() == [])
  }

  @Test func aLoadGivesThePageAProcessAgain() {
    var phase = PagePhase<Int>()
    _ = phase.opened()
    for generation in 1...3 {
      guard case .seen = phase.processEnded() else {
        Issue.record("nobody is told")
        return
      }
      #expect(phase.isReady && phase.needsProcess && !phase.hasProcess)
      #expect(phase.processGeneration == generation)
      phase.processStarted()
      #expect(phase.isReady && !phase.needsProcess && phase.hasProcess)
    }
  }

  @Test func aClosedPageStaysClosed() {
    var phase = PagePhase<Int>()
    #expect(phase.hold(call: 1) == true)
    #expect(phase.hold(load: 2) == true)
    #expect(phase.close() == [1])
    #expect(phase.close() == nil)
    phase.processStarted()
    phase.dropLoad()
    #expect(phase.processEnded() == nil)
    #expect(phase.opened() == [])
    #expect(phase.hold(call: 3) == false)
    #expect(phase.hold(load: 4) == false)
    #expect(phase.isClosed && !phase.isReady && !phase.hasProcess && !phase.needsProcess)
  }

  /// Calls are given back once each, in order; of the loads at most one, and the newest.
  @Test(arguments: 0..<50) func everythingHeldIsGivenBackExactlyOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var phase = PagePhase<Int>()
    var calls: [Int] = []
    var load: Int?
    var begun: [Int] = []
    var count = 0
    // What opens or closes the page is rare, so that much is held before it.
    for _ in 0..<200 {
      count += 1
      let isOpening = !phase.isReady && !phase.isClosed
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<20: if phase.hold(call: count) { calls.append(count) }
      case 20..<30: if phase.hold(load: count) { load = count }
      case 30..<33:
        phase.dropLoad()
        if isOpening { load = nil }
      case 33..<36: phase.processStarted()
      case 36: begun += phase.opened()
      case 37:
        switch phase.processEnded() {
        case .unseen(let held):
          #expect(isOpening)
          begun += held
        case .seen: #expect(!isOpening && phase.needsProcess)
        case nil: #expect(phase.isClosed)
        }
      case 38 where Bool.random(using: &random):
        if isOpening { load = nil }
        begun += phase.close() ?? []
      default: break
      }
      #expect(phase.isClosed ? !phase.isReady : phase.isReady || phase.hasProcess)
      #expect(!(phase.hasProcess && phase.needsProcess))
      if phase.isReady || phase.isClosed { #expect(begun == calls + (load.map { [$0] } ?? [])) }
    }
    begun += phase.opened()
    #expect(begun == calls + (load.map { [$0] } ?? []))
  }
}
