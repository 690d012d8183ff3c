import Foundation
import Synchronization

/// One-use tickets for opening a channel where no Authorization header can be set.
public final class TicketOffice: Sendable {
  public struct Ticket: Sendable, Equatable {
    public var text: String
    public var expiresAt: Date
  }
  private struct Stub: Sendable {
    let controllerID: ControllerID?
    let expiresAt: Date
  }
  private struct Drawer: Sendable {
    var stubs: [String: Stub] = [:]
    /// Oldest first; may name redeemed ones.
    var order: [String] = []
  }

  public static let lifetime: Double = 30
  static let capacity = 4_096

  private let now: @Sendable () -> Date
  private let drawer = Mutex(Drawer())

  public init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  /// nil controller: for the server's channel. Bounded: the oldest go first.
  public func issue(for controllerID: ControllerID?) -> Ticket {
    let ticket = Ticket(text: RandomID.make(), expiresAt: now().addingTimeInterval(Self.lifetime))
    drawer.withLock {
      $0.stubs[ticket.text] = Stub(controllerID: controllerID, expiresAt: ticket.expiresAt)
      $0.order.append(ticket.text)
      if $0.order.count > Self.capacity { $0.stubs[$0.order.removeFirst()] = nil }
    }
    return ticket
  }

  /// True once, within the lifetime, for the channel it was issued for. An attempt at another channel spends
  /// the ticket as well: whoever holds it does not hold it rightly.
  public func redeem(_ text: String, for controllerID: ControllerID?) -> Bool {
    let stub = drawer.withLock { $0.stubs.removeValue(forKey: text) }
    guard let stub else { return false }
    return stub.controllerID == controllerID && now() < stub.expiresAt
  }
}
