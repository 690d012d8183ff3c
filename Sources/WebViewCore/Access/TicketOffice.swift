import Foundation
import Synchronization

/// One-use tickets for opening a channel where no Authorization header can be set.
public final class TicketOffice: Sendable {
  public struct Ticket: Sendable, Equatable {
    public var text: String
    public var expiresAt: Date
  }
  public static let lifetime: Double = 30
  public init(now: @escaping @Sendable () -> Date = { Date() }) {}

  /// nil controller: for the server's channel. Bounded: the oldest go first.
  public func issue(for controllerID: ControllerID?) -> Ticket { Ticket(text: "", expiresAt: Date()) }
  /// True once, within the lifetime, for the channel it was issued for.
  public func redeem(_ text: String, for controllerID: ControllerID?) -> Bool { false }
}
