import Testing
import WebViewTesting

@testable import WebViewCore

@Suite struct CallbackLedgerTests {
  private let controller = ControllerID(text: "c")
  private let other = ControllerID(text: "d")

  private func open(
    _ ledger: inout CallbackLedger, _ name: String, of id: ControllerID? = nil, now: Double = 0
  )
    -> (id: CallbackID, told: [CallbackLedger.Claimer])
  {
    let callback = CallbackID(text: name)
    let opening = ledger.open(
      callback, .scriptMessage, controllerID: id ?? controller, navigationID: nil, payload: [:], timeout: 60,
      now: now)
    guard case .open(_, let told) = opening else { return (callback, []) }
    return (callback, told.map(\.claimer))
  }

  @Test func theNewestClaimerGetsTheQuestionAndOnReleaseTheOneBefore() {
    var ledger = CallbackLedger(limit: 10)
    let old = ledger.register(nil)
    let new = ledger.register(nil)
    #expect(ledger.claim([.scriptMessage], by: old, now: 0).map(\.claimer) == [old])
    let notices = ledger.claim([.scriptMessage], by: new, now: 0)
    #expect(notices.map(\.claimer) == [old, new], "whoever's holdings change is told")
    #expect(notices.map(\.notice) == [.claims([]), .claims([.scriptMessage])])
    #expect(open(&ledger, "1").told == [new])
    #expect(ledger.claim([], by: new, now: 0).map(\.claimer) == [old, new])
    #expect(open(&ledger, "2").told == [old])
  }

  @Test func aControllersChannelBeatsTheServersHoweverOld() {
    var ledger = CallbackLedger(limit: 10)
    let own = ledger.register(controller)
    let server = ledger.register(nil)
    _ = ledger.claim([.scriptMessage], by: own, now: 0)
    _ = ledger.claim([.scriptMessage], by: server, now: 0)
    #expect(open(&ledger, "1").told == [own])
    #expect(open(&ledger, "2", of: other).told == [server])
  }

  @Test func aQuestionThatNobodyHoldsGoesToTheNextClaimer() {
    var ledger = CallbackLedger(limit: 10)
    let question = open(&ledger, "1")
    #expect(question.told == [])
    let claimer = ledger.register(nil)
    let notices = ledger.claim([.scriptMessage], by: claimer, now: 12)
    guard case .opened(let callback)? = notices.last?.notice else {
      Issue.record("the question was not handed over")
      return
    }
    #expect(callback.id == question.id)
    #expect(callback.expiresIn == 48)
  }

  @Test func questionsAreBoundedBySizeForEachController() {
    var ledger = CallbackLedger(limit: 10, byteLimit: 1_000)
    func open(_ name: String, _ size: Int, of id: ControllerID) -> Bool {
      let payload: JSONObject = ["body": .raw(String(repeating: "1", count: size))]
      let opening = ledger.open(
        CallbackID(text: name), .scriptMessage, controllerID: id, navigationID: nil, payload: payload,
        timeout: 60, now: 0)
      return if case .open = opening { true } else { false }
    }
    #expect(open("a", 600, of: controller))
    #expect(!open("b", 600, of: controller))
    #expect(open("c", 600, of: other))
    #expect(open("d", 300, of: controller))
    #expect(ledger.close(CallbackID(text: "a"), .answered) != nil)
    #expect(open("e", 600, of: controller))
  }

  @Test func theQuestionsOfAClaimerThatGoesAreClosed() {
    var ledger = CallbackLedger(limit: 10)
    let claimer = ledger.register(nil)
    _ = ledger.claim([.scriptMessage], by: claimer, now: 0)
    let question = open(&ledger, "1").id
    let (closed, _) = ledger.unregister(claimer)
    #expect(closed.map(\.id) == [question])
    #expect(closed.map(\.closing) == [.disconnected])
    #expect(ledger.close(question, .answered) == nil)
  }

  @Test func onlyTheFirstAnswerCounts() {
    var ledger = CallbackLedger(limit: 10)
    let question = open(&ledger, "1").id
    #expect(ledger.lookUp(question, controllerID: controller) == .open(.scriptMessage))
    #expect(ledger.lookUp(question, controllerID: other) == .unknown)
    #expect(ledger.close(question, .answered) != nil)
    #expect(ledger.close(question, .timeout) == nil)
    #expect(ledger.lookUp(question, controllerID: controller) == .closed(.answered))
  }

  @Test func openQuestionsAndMemoryOfClosedOnesAreBounded() {
    var ledger = CallbackLedger(limit: 2)
    let first = open(&ledger, "1").id
    _ = open(&ledger, "2")
    let third = ledger.open(
      CallbackID(text: "3"), .scriptMessage, controllerID: controller, navigationID: nil, payload: [:],
      timeout: 60,
      now: 0)
    #expect(third == .full)
    for name in ["1", "2"] { _ = ledger.close(CallbackID(text: name), .answered) }
    _ = open(&ledger, "4")
    _ = ledger.close(CallbackID(text: "4"), .answered)
    #expect(ledger.lookUp(first, controllerID: controller) == .unknown)
  }

  @Test func listsOpenOnesSinceANumber() {
    var ledger = CallbackLedger(limit: 10)
    for name in ["1", "2", "3"] { _ = open(&ledger, name, now: 10) }
    _ = ledger.close(CallbackID(text: "2"), .cancelled)
    let all = ledger.callbacks(of: controller, kinds: nil, since: nil, now: 20)
    #expect(all.map(\.id.text) == ["1", "3"])
    #expect(all.map(\.expiresIn) == [50, 50])
    #expect(ledger.callbacks(of: controller, kinds: nil, since: 1, now: 20).map(\.id.text) == ["3"])
    #expect(ledger.callbacks(of: other, kinds: nil, since: nil, now: 20).isEmpty)
  }

  @Test(arguments: 0..<20) func everyQuestionIsClosedExactlyOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var ledger = CallbackLedger(limit: 50)
    var claimers: [CallbackLedger.Claimer] = []
    var opened: Set<CallbackID> = []
    var closed: [CallbackID] = []
    for step in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: claimers.append(ledger.register(Bool.random(using: &random) ? controller : nil))
      case 1:
        if let claimer = claimers.randomElement(using: &random) {
          _ = ledger.claim(Bool.random(using: &random) ? [.scriptMessage] : [], by: claimer, now: 0)
        }
      case 2:
        if let claimer = claimers.randomElement(using: &random) {
          closed += ledger.unregister(claimer).closed.map(\.id)
        }
      case 3, 4, 5:
        let id = CallbackID(text: "\(step)")
        let opening = ledger.open(
          id, .scriptMessage, controllerID: controller, navigationID: nil, payload: [:], timeout: 60, now: 0)
        if case .open = opening { opened.insert(id) }
      default:
        if let id = opened.randomElement(using: &random), let end = ledger.close(id, .answered) {
          closed.append(end.id)
        }
      }
    }
    for id in opened { if let end = ledger.close(id, .cancelled) { closed.append(end.id) } }
    #expect(closed.count == opened.count)
    #expect(Set(closed) == opened)
  }
}
