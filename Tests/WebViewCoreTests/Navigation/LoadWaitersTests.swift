import Testing
import WebViewTesting

@testable import WebViewCore

@Suite struct LoadWaitersTests {
  private let n1 = NavigationID(number: 1)
  private let n2 = NavigationID(number: 2)

  @Test func aWaiterEndsAtItsMilestone() {
    var waiters = LoadWaiters()
    let commit = waiters.add(.commit, for: .navigation(n1))
    let dom = waiters.add(.domContentLoaded, for: .navigation(n1))
    let load = waiters.add(.load, for: .navigation(n1))
    #expect(waiters.reached(.committed, of: n1) == [commit])
    #expect(waiters.reached(.domContentLoaded, of: n1) == [dom])
    #expect(waiters.reached(.ended, of: n1) == [load])
    #expect(waiters.isEmpty)
  }

  @Test func theEndOfTheNavigationEndsEveryWaiterOfIt() {
    var waiters = LoadWaiters()
    let commit = waiters.add(.commit, for: .navigation(n1))
    let other = waiters.add(.load, for: .navigation(n2))
    #expect(waiters.reached(.ended, of: n1) == [commit])
    #expect(waiters.withdraw(other) == true)
    #expect(waiters.withdraw(other) == false)
  }

  @Test func aWaiterForTheNextNavigationTakesTheFirstThatBegins() {
    var waiters = LoadWaiters()
    let first = waiters.add(.load, for: .next(after: nil))
    let next = waiters.add(.load, for: .next(after: n1))
    waiters.began(n1)
    #expect(waiters.navigation(of: first) == n1)
    #expect(waiters.navigation(of: next) == nil)
    waiters.began(n2)
    #expect(waiters.reached(.ended, of: n1) == [first])
    #expect(waiters.reached(.ended, of: n2) == [next])
  }

  @Test(arguments: 0..<20) func everyWaiterEndsExactlyOnce(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var waiters = LoadWaiters()
    var open: Set<LoadWaiters.ID> = []
    var ended: [LoadWaiters.ID] = []
    var opened = 0
    for _ in 0..<300 {
      let navigation = NavigationID(number: Int.random(in: 1...8, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let target: LoadWaiters.Target =
          Bool.random(using: &random) ? .navigation(navigation) : .next(after: navigation)
        open.insert(waiters.add([.commit, .load].randomElement(using: &random) ?? .load, for: target))
        opened += 1
      case 2: waiters.began(navigation)
      case 3: ended += waiters.reached(.committed, of: navigation)
      case 4: ended += waiters.reached(.ended, of: navigation)
      default:
        if let id = open.randomElement(using: &random), waiters.withdraw(id) { ended.append(id) }
      }
    }
    ended += waiters.dispose()
    #expect(waiters.isEmpty)
    #expect(ended.count == opened)
    #expect(Set(ended).count == opened)
  }
}
