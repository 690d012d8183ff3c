import Testing

@testable import WebKitEngine

@Suite struct OwedEntryDeliveryTests {
  private func held() -> OwedEntryDelivery {
    var delivery = OwedEntryDelivery()
    delivery.hold()
    return delivery
  }

  private func told() -> OwedEntryDelivery {
    var delivery = held()
    #expect(delivery.decided(isOurs: true, isRedirect: false, isOfHistory: true) == 1)
    return delivery
  }

  @Test func theProcessIsToldOfALoadOnceWhenItIsDecided() {
    var delivery = held()
    #expect(delivery.decided(isOurs: false, isRedirect: false, isOfHistory: false) == nil)
    #expect(delivery.decided(isOurs: true, isRedirect: false, isOfHistory: true) == 1)
    #expect(delivery.decided(isOurs: false, isRedirect: true, isOfHistory: true) == nil)
    #expect(delivery.committed() == 1)
    #expect(delivery.committed() == nil)
  }

  /// It may be another frame's step, or the page's own, which ends the load.
  @Test func aStepToAnotherEntryIsNotTakenForIt() {
    for isLoadOver in [false, true] {
      var delivery = told()
      #expect(delivery.decided(isOurs: false, isRedirect: false, isOfHistory: true) == 0)
      if isLoadOver { #expect(delivery.drop() == 0) }
      #expect(delivery.committed() == (isLoadOver ? nil : 1))
    }
  }

  /// As the load before it may have left another process waiting.
  @Test func theProcessIsToldOfEachStepToAnEntryOfTheList() {
    var delivery = OwedEntryDelivery()
    #expect(delivery.decided(isOurs: true, isRedirect: false, isOfHistory: true) == 0)
    #expect(delivery.decided(isOurs: true, isRedirect: false, isOfHistory: false) == nil)
    #expect(delivery.committed() == nil)
  }

  @Test func aLoadThatIsDecidedTwiceIsTheSame() {
    var delivery = told()
    #expect(delivery.decided(isOurs: true, isRedirect: false, isOfHistory: true) == 1)
    #expect(delivery.committed() == 1)
  }

  @Test func theProcessDoesNotWaitForALoadThatComesToNothing() {
    for load in [held(), told()] {
      var delivery = load
      #expect(delivery.drop() == 0)
      #expect(delivery.drop() == nil)
      #expect(delivery.committed() == nil)
    }
  }

  @Test func aProcessThatIsStartedForTheDocumentWaitsFromTheStart() {
    #expect(OwedEntryDelivery().owedAtStart == 0)
    #expect(held().owedAtStart == 1, "the page has no process")
    var delivery = told()
    #expect(delivery.owedAtStart == 1)
    _ = delivery.committed()
    #expect(delivery.owedAtStart == 0)
  }

  @Test func eachLoadHasANumberOfItsOwn() {
    var delivery = OwedEntryDelivery()
    for number in 1...3 {
      delivery.hold()
      #expect(delivery.decided(isOurs: true, isRedirect: false, isOfHistory: true) == UInt32(number))
    }
    #expect(delivery.committed() == 3)
  }
}
