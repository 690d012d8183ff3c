import Foundation
import Testing

@testable import WebViewCore

@Suite struct NavigationRecordsTests {
  private func add(_ count: Int, length: Int, to records: inout NavigationRecords) -> [NavigationID] {
    (0..<count).map { _ in
      records.add(
        url: String(repeating: "u", count: length), origin: .page, now: Date(timeIntervalSince1970: 0))
    }
  }

  @Test func theOldestAreForgottenByNumber() {
    var records = NavigationRecords(limit: 4)
    let ids = add(6, length: 10, to: &records)
    #expect(ids.map { records[$0] != nil } == [false, false, true, true, true, true])
    #expect(records.wasIssued(ids[0]) && records.last?.navigation.id == ids[5])
  }

  /// A page that changes its address without end fills no memory with it.
  @Test func andByWhatTheyHold() {
    var records = NavigationRecords(limit: 256)
    let ids = add(100, length: 1 << 20, to: &records)
    let kept = ids.filter { records[$0] != nil }
    #expect(kept.count == 8 && kept == Array(ids.suffix(8)))
    #expect(add(8, length: 10, to: &records).allSatisfy { records[$0] != nil })
  }

  @Test func whatAServerTellsCountsToo() {
    var records = NavigationRecords(limit: 256)
    for _ in 0..<100 {
      let id = records.add(url: "http://x/", origin: .page, now: Date(timeIntervalSince1970: 0))
      records.update(id) {
        $0.navigation.response = MainResourceResponse(
          url: "http://x/", status: 200,
          headers: [.init(name: "a", value: String(repeating: "h", count: 1 << 20))], mimeType: nil,
          encoding: nil)
      }
    }
    #expect((1...100).count { records[NavigationID(number: $0)] != nil } <= 8 + 16)
  }
}
