import Foundation
import Synchronization
import Testing

@testable import WebViewCore

@Suite struct TicketOfficeTests {
  private let controller = ControllerID(text: "c")

  @Test func aTicketOpensItsChannelOnce() {
    let office = TicketOffice()
    let ticket = office.issue(for: controller)
    #expect(office.redeem(ticket.text, for: controller))
    #expect(!office.redeem(ticket.text, for: controller))
    #expect(!office.redeem("other", for: controller))
  }

  @Test func aTicketOpensNoOtherChannel() {
    let office = TicketOffice()
    #expect(!office.redeem(office.issue(for: controller).text, for: nil))
    #expect(!office.redeem(office.issue(for: nil).text, for: controller))
    #expect(office.redeem(office.issue(for: nil).text, for: nil))
  }

  @Test func aTicketEndsWithItsLifetime() {
    let seconds = Mutex(0.0)
    let office = TicketOffice { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    let ticket = office.issue(for: nil)
    #expect(ticket.expiresAt == Date(timeIntervalSince1970: 30))
    seconds.withLock { $0 = 30 }
    #expect(!office.redeem(ticket.text, for: nil))
  }

  @Test func theOldestGoFirst() {
    let office = TicketOffice()
    let first = office.issue(for: nil)
    for _ in 0..<TicketOffice.capacity { _ = office.issue(for: nil) }
    #expect(!office.redeem(first.text, for: nil))
  }
}
