import CSoup
import GLibBridge
import Glibc
import HTTPModel

/// The opening handshake, checked and answered by libsoup.
@TransportActor
enum WebSocketHandshake {
  /// What is wrong with a request that is no proper handshake; nil for one that is.
  static func problem(of message: OpaquePointer, _ offer: UpgradeOffer) -> String? {
    do {
      _ = try withProtocols(offer) { protocols in
        try throwing { soup_websocket_server_check_handshake(message, nil, protocols, nil, &$0) }
      }
      return nil
    } catch {
      return ((error as? GLibError)?.message ?? "This is no WebSocket handshake") + "."
    }
  }

  /// Answers 101; `done` is called when it went out.
  static func accept(
    _ message: OpaquePointer, _ offer: UpgradeOffer, done: @escaping @TransportActor () -> Void
  ) {
    // No extensions: compressing messages costs more than a fast link saves.
    let isAccepted = withProtocols(offer) {
      soup_websocket_server_process_handshake(message, nil, $0, nil, nil) != 0
    }
    guard isAccepted else { return }
    onSignal(message, "wrote-informational") { (_: OpaquePointer) in
      TransportActor.assumeIsolated { done() }
    }
  }

  private static func withProtocols<Result>(
    _ offer: UpgradeOffer, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) throws -> Result
  ) rethrows -> Result {
    guard let name = offer.protocolName else { return try body(nil) }
    var list = [strdup(name), nil]
    defer { free(list[0]) }
    return try list.withUnsafeMutableBufferPointer { try body($0.baseAddress) }
  }
}
