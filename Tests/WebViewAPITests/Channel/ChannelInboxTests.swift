import Synchronization
import Testing

@testable import WebViewAPI

@Suite(.timeLimit(.minutes(1))) struct ChannelInboxTests {
  private final class Taken: Sendable {
    let ids = Mutex<[String]>([])
    func add(_ result: Result<ChannelMessage, ChannelMessage.Problem>) {
      let name = (try? result.get())?.id?.text ?? "-"
      ids.withLock { $0.append(name) }
    }
  }

  private func text(_ id: String, size: Int = 0) -> String {
    #"{"id":"\#(id)","method":"x","params":{"a":"\#(String(repeating: "a", count: size))"}}"#
  }

  @Test("Small messages are taken at once, on the caller's thread")
  func small() {
    let (inbox, taken) = (ChannelInbox(), Taken())
    #expect(inbox.take(text("1"), then: taken.add))
    #expect(inbox.take("no json", then: taken.add))
    #expect(taken.ids.withLock { $0 } == ["1", "-"])
  }

  @Test("What follows a large message waits for it, in order")
  func order() async {
    let (inbox, taken) = (ChannelInbox(), Taken())
    let names = (0..<40).map { "\($0)" }
    for (index, name) in names.enumerated() {
      #expect(inbox.take(text(name, size: index % 5 == 0 ? 1 << 20 : 0), then: taken.add))
    }
    #expect(taken.ids.withLock { $0.count } < names.count, "the first one is not parsed by the caller")
    while taken.ids.withLock({ $0.count }) < names.count { await Task.yield() }
    #expect(taken.ids.withLock { $0 } == names)
  }

  @Test("More than may wait is refused; a single message of any size is not")
  func flood() async {
    let (inbox, taken) = (ChannelInbox(), Taken())
    let large = text("1", size: ChannelInbox.limit)
    #expect(inbox.take(large, then: taken.add))
    #expect(!inbox.take(large, then: taken.add))
    while taken.ids.withLock({ $0.isEmpty }) { await Task.yield() }
  }
}
