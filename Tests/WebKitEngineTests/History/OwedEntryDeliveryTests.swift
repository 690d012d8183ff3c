import Testing

@testable import WebKitEngine

@Suite struct OwedEntryDeliveryTests {
  @Test func theProcessIsToldOfALoadOnceWhenItIsDecided() {
    var delivery = OwedEntryDelivery()
    delivery.hold(url: "http://a/")
    #expect(delivery.decided(url: "http://b/", isRedirect: false, isOfHistory: false) == nil)
    #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == 1)
    #expect(delivery.decided(url: "http://c/", isRedirect: true, isOfHistory: true) == nil)
    #expect(delivery.committed() == 1)
    #expect(delivery.committed() == nil)
  }

  /// It may be another frame's step, or the page's own, which ends the load.
  @Test func aStepToAnotherEntryIsNotTakenForIt() {
    for isLoadOver in [false, true] {
      var delivery = OwedEntryDelivery()
      delivery.hold(url: "http://a/")
      #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == 1)
      #expect(delivery.decided(url: "http://b/", isRedirect: false, isOfHistory: true) == 0)
      if isLoadOver { delivery.drop() }
      #expect(delivery.committed() == (isLoadOver ? nil : 1))
    }
  }

  @Test func aLoadThatIsDecidedTwiceIsTheSame() {
    var delivery = OwedEntryDelivery()
    delivery.hold(url: "http://a/")
    for _ in 1...2 {
      #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == 1)
    }
    #expect(delivery.committed() == 1)
  }

  @Test func aLoadThatComesToNothingHasNone() {
    var delivery = OwedEntryDelivery()
    delivery.hold(url: "http://a/")
    delivery.drop()
    #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == nil)
  }

  @Test func eachLoadHasANumberOfItsOwn() {
    var delivery = OwedEntryDelivery()
    for number in 1...3 {
      delivery.hold(url: "http://a/")
      #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == UInt32(number))
    }
    #expect(delivery.committed() == 3)
  }

  @Test func otherLoadsHaveNone() {
    var delivery = OwedEntryDelivery()
    #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == nil)
    #expect(delivery.committed() == nil)
  }
}
