extension WebViewController {
  /// Empty before the first load.
  public func backForwardList() throws(ServiceError) -> BackForwardList {
    try requireLife()
    flushStateChange()
    return page.backForwardList
  }

  /// Throws `invalidArgument` for an entry that is no longer in the list, or never was in this one.
  public func goToHistoryItem(
    _ id: HistoryItemID, wait: PageWait = .load, deadline: Deadline,
    started: (@PageActor @Sendable (Navigation) -> Void)? = nil
  ) async throws -> LoadResult {
    try requireLife()
    guard page.backForwardList.items.contains(where: { $0.id == id }) else {
      throw ServiceError(
        .invalidArgument,
        "The history has no entry `\(id.text.prefix(60))`, or no longer; getBackForwardList tells those it has.",
        details: ["parameter": "itemId"])
    }
    return try await navigate(.item(id), wait: wait, deadline: deadline, started: started)
  }

  /// What may have changed the history is told of once a turn, and only if it did.
  func noteHistoryChange() {
    isHistoryChangeDue = true
    noteStateChange()
  }

  func flushHistoryChange() {
    guard isHistoryChangeDue else { return }
    isHistoryChangeDue = false
    guard !isDisposed, toldHistory.update(page.backForwardList) else { return }
    publish(.backForwardListChanged, navigation: navigations.running ?? documentNavigation)
  }
}
