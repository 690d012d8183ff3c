import WebProcessCore

/// A load of ours that was asked for and did not start yet.
struct AskedLoad {
  enum Kind { case load, entry, content, reload, history }
  var kind: Kind
  var url: String?
  /// WebKit is to be given it yet: what it asks the policy for is the page's own, though it be to the same address.
  var isPrepared = false
  /// WebKit asked the policy for it: what starts from now on is this load.
  var wasDecided = false
  /// WebKit may be at a step in the history.
  var takesPlaceOfStep = false
  var didHistoryChange = false
  /// The document that is there went to a fragment since.
  var didDocumentMove = false
  /// When the page took its place: so many redirects had led it on.
  var redirects = 0
  /// A step to an entry from before the given content that is there.
  var leavesGiven = false
  /// WebKit made it within that content, which it takes for the entry's document.
  var isWithinGiven = false
  /// From there it is made once more.
  var isAgain = false
  /// It started before, and was told, and WebKit dropped it.
  var isTold = false

  /// It leads to another place in the document that is there: WebKit starts nothing.
  /// - Parameter documentURL: nil: the blank document that a view starts with.
  func isWithin(_ documentURL: String?) -> Bool {
    switch kind {
    case .history: return didHistoryChange && !wasDecided
    case .load:
      guard wasDecided, let url, url.contains("#") else { return false }
      return url.withoutFragment == (documentURL ?? "about:blank").withoutFragment
    case .entry, .content, .reload: return false
    }
  }
}
