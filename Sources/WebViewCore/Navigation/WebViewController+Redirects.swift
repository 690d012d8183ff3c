extension WebViewController {
  /// A script that does not come to rest after its load is not waited for.
  private static let settlingTime = Duration.milliseconds(500)

  /// Its navigation ended; what the document does by itself from now on is a redirect for some time only.
  func endRedirectsLater(of id: NavigationID) {
    guard let seconds = navigations.redirectTime(of: id) else { return }
    if let redirectTimer { context.timers.cancel(redirectTimer) }
    redirectTimer = context.timers.after(.seconds(seconds)) { [weak self] in
      self?.navigations.endRedirects(of: id)
    }
  }

  /// Returns when the page went to where it redirects by itself (`isOver`), or would have: its load ended, what
  /// its scripts do right after it is done, and a refresh that is due within `window` seconds had its time.
  func settle(
    _ id: NavigationID, within window: Double, deadline: Deadline, isOver: @PageActor () -> Bool
  ) async throws {
    _ = try await reach(.load, of: .navigation(id), deadline: deadline)
    guard let navigation = navigations[id], navigation.timings.commit != nil,
      navigation.outcome == .finished || navigation.outcome == .cancelled, !isOver()
    else { return }
    let start = context.timers.now()
    let document = try await ofAnyDocument { [self] in try await refreshes(deadline: deadline) } ?? []
    let headers = navigation.response?.headers.filter { $0.name.lowercased() == "refresh" }.map(\.value) ?? []
    let delays = (document + headers).compactMap(ClientRedirects.refreshDelay).filter { $0 <= window }
    // Of several the engine takes the first that is due; what began already shows itself soon.
    guard let seconds = delays.min() ?? (page.isLoading ? ClientRedirects.window : nil) else { return }
    let due = start + .seconds(seconds + ClientRedirects.slack)
    while !isOver(), context.timers.now() < due { try await pause(Self.pace, .page, deadline: deadline) }
  }

  /// What the document says of refreshing itself, when its scripts did what they do right after its load.
  private func refreshes(deadline: Deadline) async throws -> [String] {
    try requireProcess()
    return try await engineCall(.document, deadline: deadline) { page, done in
      page.settle { result in
        // A document that runs no scripts has none that redirect.
        if case .failure(.engine) = result { done(.success([])) } else { done(result.mapError { $0 }) }
      }
      _ = context.timers.after(Self.settlingTime) { done(.success([])) }
    }
  }
}
