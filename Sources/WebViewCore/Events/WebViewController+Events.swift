extension WebViewController {
  /// What the journal has of this controller after `since`; waits up to `poll` seconds for the first entry. Throws
  /// `disposed` when the controller is, or becomes so while there is nothing to tell.
  public func events(types: Set<EventType>, since: Int?, run: String?, limit: Int, poll: Double) async throws
    -> EventService.Page
  {
    try requireLife()
    let query = EventService.Query(controllerID: id, types: types)
    let page = try await context.events.entries(query, since: since, run: run, limit: limit, poll: poll)
    if page.entries.isEmpty { try requireLife() }
    return page
  }
}
