/// Loads of ours whose place the page takes, by itself and as often as they are begun.
extension WebViewController {
  /// The page's process ends, with its scripts, and the next one has the load. False: there is no such load.
  func endStubbornPage() -> Bool {
    guard let repeatable, navigations.running == repeatable.id, insistedOn != repeatable.id,
      heldLoad == nil, case .alive = life, ownTermination == nil,
      navigations.milestone(repeatable.id) == .begun,
      navigations.restart(repeatable.id, after: repeatable.redirects)
    else { return false }
    insistedOn = repeatable.id
    // What the engine tells until then is of the page's own navigations.
    heldLoad = HeldLoad(id: repeatable.id, isIssued: false, begin: repeatable.begin)
    endProcess(.requested)
    return true
  }

  /// What led to the load stays, however often it begins.
  func willBegin(_ id: NavigationID, again: @escaping @PageActor () -> Void) {
    repeatable = (id, navigations[id]?.redirects.count ?? 0, again)
  }

  /// The engine begins the load once more by itself.
  func watchRestart() {
    guard let repeatable, navigations.isAwaitingStart(repeatable.id) else { return }
    watchStart(repeatable.id, again: repeatable.begin)
  }
}

extension LoadContent {
  /// To give it to the engine again is to send it again, though the engine may have shown what came of it: it
  /// has no way of its own for such a request.
  var isSentByOtherMeans: Bool {
    if case .request(let request) = self {
      request.method != "GET" && request.method != "POST"
    } else {
      false
    }
  }
}
