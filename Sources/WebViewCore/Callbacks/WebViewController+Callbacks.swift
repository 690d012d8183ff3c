extension WebViewController {
  /// Open questions with a number above `since`; waits up to `poll` seconds for one. Throws `disposed` when the
  /// controller is, or meanwhile becomes so.
  public func callbacks(kinds: Set<CallbackKind>?, since: Int?, poll: Double) async throws
    -> CallbackBroker.Page
  {
    try requireLife()
    let page = try await context.callbacks.callbacks(controllerID: id, kinds: kinds, since: since, poll: poll)
    try requireLife()
    return page
  }
}
