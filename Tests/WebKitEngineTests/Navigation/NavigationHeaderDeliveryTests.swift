import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct NavigationHeaderDeliveryTests {
  typealias Message = NavigationHeaderDelivery.Message

  private let headers = NavigationHeaders(fields: [.init(name: "X-A", value: "a")])
  private let url = "http://a.test/"

  private func held() -> NavigationHeaderDelivery {
    var delivery = NavigationHeaderDelivery()
    #expect(delivery.hold(headers, for: url) == nil)
    return delivery
  }

  @Test func theirNavigationIsToldOnce() {
    var delivery = held()
    #expect(delivery.decided(url: "http://a.test/frame", isRedirect: false) == nil)
    #expect(delivery.decided(url: url, isRedirect: true) == nil)
    #expect(delivery.decided(url: url, isRedirect: false) == Message(url: url, fields: headers.fields))
    #expect(delivery.decided(url: url, isRedirect: false) == nil)
  }

  @Test func whatWasToldIsTakenBackAtTheEnd() {
    var delivery = held()
    _ = delivery.decided(url: url, isRedirect: false)
    #expect(delivery.end() == .forget)
    #expect(delivery.end() == nil)
    _ = delivery.hold(headers, for: url)
    _ = delivery.decided(url: url, isRedirect: false)
    #expect(delivery.hold(headers, for: url) == .forget)
    #expect(delivery.decided(url: url, isRedirect: false) != nil)
  }

  @Test func whatWasNotToldIsDroppedInSilence() {
    var delivery = held()
    #expect(delivery.end() == nil)
    #expect(delivery.decided(url: url, isRedirect: false) == nil)
    delivery = held()
    #expect(delivery.hold(nil, for: url) == nil)
    #expect(delivery.decided(url: url, isRedirect: false) == nil)
  }
}
