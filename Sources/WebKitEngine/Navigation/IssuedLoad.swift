/// The load that WebKit was given last, until it has a document or gets none, and how it is given again.
struct IssuedLoad<Begin> {
  /// How often WebKit may drop the same one.
  private static var patience: Int { 3 }

  /// Counts the loads that were asked for: what was prepared for an older one comes too late.
  private(set) var number = 0
  /// nil: WebKit was given nothing that could be given again.
  private(set) var begin: Begin?
  private var drops = 0
  private var isGet = false

  /// It takes the place of the one before.
  mutating func ask() -> Int {
    number += 1
    begin = nil
    drops = 0
    isGet = false
    return number
  }

  mutating func give(_ begin: Begin) { self.begin = begin }

  /// WebKit lost it, and gets it once more.
  mutating func giveAgain(_ begin: Begin) {
    number += 1
    self.begin = begin
  }

  /// WebKit asks the site for it.
  mutating func requested(isGet: Bool) { self.isGet = isGet }

  /// It has a document, or gets none.
  mutating func ended() { begin = nil }

  /// To ask a site once more changes nothing there.
  var canBeDropped: Bool { isGet && begin != nil && drops < Self.patience }

  mutating func dropped() { drops += 1 }
}
