/// The web processes that WebKit started for a page: which one has its document, and whether one that ended was to
/// have the document of the navigation that runs, of which WebKit tells nothing.
///
/// WebKit does not tell a view's process. It tells when it starts one, and the process tells which pages are made in it:
/// each process that a document goes to makes one, of an id of its own.
struct PageProcesses<Process> {
  typealias Number = UInt

  private struct Entry {
    let number: Number
    var process: Process
    var pages: Set<UInt> = []
    /// It is for the navigation that was decided last.
    var isOfNavigation = true
  }

  private var count: Number = 0
  /// Counts the navigations that were decided.
  private(set) var decisions = 0
  /// Oldest first.
  private var entries: [Entry] = []

  var all: [Process] { entries.map(\.process) }

  var nextNumber: Number { count + 1 }

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
  }

  /// WebKit may start a process for where a navigation leads, and needs none any more that it started before.
  mutating func navigationDecided() {
    decisions += 1
    for index in entries.indices { entries[index].isOfNavigation = false }
  }

  /// - Parameter page: the view's.
  /// - Returns: whether the navigation that was decided last ended with it.
  mutating func ended(_ number: Number, page: UInt) -> Bool {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return false }
    let entry = entries.remove(at: index)
    return entry.isOfNavigation && !entry.pages.contains(page)
  }

  /// The process that has the page; as long as none has told so, it is the newest.
  subscript(page: UInt) -> Process? {
    let entry = entries.last { $0.pages.contains(page) } ?? entries.last { $0.pages.isEmpty }
    return entry?.process
  }
}
