/// What `getServer.limits` tells; defaults of the contract.
public struct Limits: Sendable, Equatable {
  public var requestBody = 64 << 20
  public var result = 64 << 20
  public var channelMessage = 16 << 20
  public var script = 8 << 20
  public var url = 1 << 20
  public var defaultTimeout: Double = 90
  public var maximumTimeout: Double = 600
  public var journal = 1_000
  public var navigations = 256
  public var pendingCallbacks = 1_024
  /// Of what the open questions of one controller hold.
  public var pendingCallbackBytes = 64 << 20
  public var disposedIDs = 10_000
  public var snapshotPixels = 400_000_000
  /// Seconds a question of a page may stay open.
  public var callbackTimeout: Double = 60
  /// Seconds a page has to answer a probe before its process is ended.
  public var probeTimeout: Double = 2
  public init() {}
}
