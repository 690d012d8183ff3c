/// The web processes that WebKit started for a page: which one has its document, and whether one that ended was to
/// have the document of the navigation that runs, of which WebKit tells nothing.
///
/// WebKit does not tell a view's process. It tells when it starts one, and the process tells which pages are made in it:
/// each process that a document goes to makes one, of an id of its own.
struct PageProcesses<Process> {
  typealias Number = UInt

  struct Entry {
    let number: Number
    let process: Process
    fileprivate(set) var pages: Set<UInt> = []
    /// It was started since the last navigation began: for where that leads.
    fileprivate(set) var isOfNavigation = true
  }

  private var count: Number = 0
  /// Counts their begins and ends.
  private(set) var navigations = 0
  /// Oldest first.
  private(set) var entries: [Entry] = []

  /// Not those that WebKit starts in the page's context for workers, which other pages may share.
  var ofPages: [Process] {
    let ofPages = entries.filter { !$0.pages.isEmpty }
    return (ofPages.isEmpty ? entries : ofPages).map(\.process)
  }

  var nextNumber: Number { count + 1 }

  /// Those that keep documents which the page left.
  func kept(besides page: UInt) -> [Process] {
    entries.filter { !$0.pages.isEmpty && !$0.pages.contains(page) }.map(\.process)
  }

  mutating func started(_ process: Process) -> Number {
    count += 1
    entries.append(Entry(number: count, process: process))
    return count
  }

  mutating func pageCreated(_ page: UInt, in number: Number) {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    // One that was there before is used again.
    if !entries[index].pages.isEmpty { entries[index].isOfNavigation = true }
    entries[index].pages.insert(page)
    guard entries[index].isOfNavigation else { return }
    // A response led on to this one. That of a worker, which may be started at any time, makes no page.
    for older in entries.indices where entries[older].number < number {
      entries[older].isOfNavigation = false
    }
  }

  /// What was started before is for none that begins from now on.
  mutating func navigationChanged() {
    navigations += 1
    for index in entries.indices { entries[index].isOfNavigation = false }
  }

  enum End: Equatable {
    /// It had the page, or was to have it first: WebKit tells of that.
    case ofPage
    /// The document was to come in it.
    case ofNavigation
    case other
  }

  /// - Parameter page: the view's.
  mutating func ended(_ number: Number, page: UInt) -> End {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return .other }
    let entry = entries.remove(at: index)
    if entry.pages.contains(page) { return .ofPage }
    return entry.isOfNavigation ? .ofNavigation : .other
  }

  enum Successor: Equatable {
    case none
    /// One was started, and has yet to tell of a page unless it is a worker's.
    case perhaps
    case certain
  }

  /// Of a process that ended and that the navigation's document was to come in.
  var successor: Successor {
    let ofNavigation = entries.filter(\.isOfNavigation)
    if ofNavigation.isEmpty { return .none }
    return ofNavigation.allSatisfy(\.pages.isEmpty) ? .perhaps : .certain
  }

  /// The process that has the page; as long as none has told so, it is the newest.
  subscript(page: UInt) -> Process? {
    let entry = entries.last { $0.pages.contains(page) } ?? entries.last { $0.pages.isEmpty }
    return entry?.process
  }
}
