/// The load that was asked for last, until it has a document or gets none, and how WebKit is given it again.
struct IssuedLoad<Begin> {
  private enum Stage {
    /// It is still prepared.
    case asked
    case given(Begin)
    case over
  }

  /// How often WebKit may drop the same one, and how often the page may take its place.
  private static var patience: Int { 3 }

  /// Counts the loads that were asked for: what was prepared for an older one comes too late.
  private(set) var number = 0
  private var stage = Stage.over
  private var drops = 0
  private var overtakings = 0
  /// With which a site was asked for it; nil: none was asked yet.
  private var method: String?

  /// It takes the place of the one before.
  mutating func ask() -> Int {
    number += 1
    stage = .asked
    drops = 0
    overtakings = 0
    method = nil
    return number
  }

  mutating func give(_ begin: Begin) { stage = .given(begin) }

  /// WebKit lost it, and gets it once more.
  mutating func giveAgain(_ begin: Begin) {
    number += 1
    stage = .given(begin)
    method = nil
  }

  /// WebKit asks the site for it.
  mutating func requested(_ method: String) { self.method = method }

  /// A request by that method may be the same once more.
  func isRepeated(by method: String) -> Bool { self.method == nil || self.method == method }

  /// It has a document, or gets none.
  mutating func ended() { stage = .over }

  /// nil: WebKit was given nothing that could be given again.
  var begin: Begin? { if case .given(let begin) = stage { begin } else { nil } }

  /// To ask a site once more changes nothing there.
  var canBeDropped: Bool { method == "GET" && begin != nil && drops < Self.patience }

  mutating func dropped() { drops += 1 }

  /// No site would be sent something twice.
  var canBeRepeated: Bool {
    switch stage {
    case .asked: true
    case .given: method == nil || method == "GET"
    case .over: false
    }
  }

  /// - Returns: false: that happened too often.
  mutating func overtaken() -> Bool {
    guard overtakings < Self.patience else { return false }
    overtakings += 1
    return true
  }
}
