import Testing
import WebViewTesting

@testable import WebViewCore

@Suite struct PendingEvaluationsTests {
  @Test func anotherDocumentEndsOnlyWhatBelongsToOne() {
    var pending = PendingEvaluations()
    let script = pending.open(.document)
    let picture = pending.open(.page)
    let jar = pending.open(.independent)
    #expect(pending.documentReplaced() == [script])
    #expect(pending.processEnded() == [picture])
    #expect(pending.dispose() == [jar])
    #expect(pending.isEmpty)
  }

  @Test func aLateAnswerFindsNothing() {
    var pending = PendingEvaluations()
    let script = pending.open(.document)
    #expect(pending.settle(script) == true)
    #expect(pending.settle(script) == false)
    #expect(pending.documentReplaced() == [])
  }

  @Test(arguments: 0..<20) func everyCallEndsExactlyOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var pending = PendingEvaluations()
    var opened: [PendingEvaluations.ID] = []
    var ended: [PendingEvaluations.ID] = []
    for _ in 0..<300 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        let kinds: [PendingEvaluations.Kind] = [.document, .page, .independent]
        opened.append(pending.open(kinds.randomElement(using: &random) ?? .page))
      case 3: if let id = opened.randomElement(using: &random), pending.settle(id) { ended.append(id) }
      case 4: ended += pending.documentReplaced()
      default: ended += pending.processEnded()
      }
    }
    ended += pending.dispose()
    #expect(pending.isEmpty)
    #expect(Set(ended) == Set(opened))
    #expect(ended.count == opened.count)
  }
}

@Suite struct ResponsivenessTests {
  @Test func oneProbeAtATimeAndOneVerdictForEach() throws {
    var machine = Responsiveness()
    let firstProbe = machine.doubt()
    let first = try #require(firstProbe)
    #expect(machine.doubt() == nil)
    #expect(machine.isDoubted)
    #expect(machine.answered(first) == true)
    #expect(machine.expired(first) == false)
    let secondProbe = machine.doubt()
    let second = try #require(secondProbe)
    #expect(machine.answered(first) == false, "an old answer proves nothing")
    #expect(machine.expired(second) == true)
    #expect(machine.answered(second) == false)
  }

  @Test func anotherProcessIsTrusted() throws {
    var machine = Responsiveness()
    let probeProbe = machine.doubt()
    let probe = try #require(probeProbe)
    machine.reset()
    #expect(!machine.isDoubted)
    #expect(machine.expired(probe) == false)
  }
}
