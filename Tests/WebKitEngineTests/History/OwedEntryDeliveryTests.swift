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

  @Test func aStepToAnotherEntryEndsIt() {
    var delivery = OwedEntryDelivery()
    delivery.hold(url: "http://a/")
    #expect(delivery.decided(url: "http://a/", isRedirect: false, isOfHistory: true) == 1)
    #expect(delivery.decided(url: "http://b/", isRedirect: false, isOfHistory: true) == 0)
    #expect(delivery.committed() == nil)
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
