import Testing
import WebViewCore

@testable import WebKitEngine

@Suite struct ForetoldNavigationTests {
  private let url = "http://127.0.0.1:1/a"
  private let response = MainResourceResponse(
    url: "http://127.0.0.1:1/a", status: 200, headers: [], mimeType: nil, encoding: nil)

  private func story(_ events: [EnginePageEvent]) -> String {
    events.compactMap(\.word).joined(separator: " ")
  }
  private var start: [EnginePageEvent] { ForetoldNavigation.start(of: url) }

  @Test func whatIsNoneOfOursPassesAsItIs() {
    var foretold = ForetoldNavigation()
    let events = start + [.responded(response), .committed(url: url), .finished(url: url)]
    #expect(foretold.completed(events) == events)
  }

  @Test func theBeginningOfWhatIsFetchedIsTold() {
    var foretold = ForetoldNavigation()
    #expect(story(foretold.begin(url: url)) == "W(/a) S(/a)")
    #expect(foretold.isFetching)
    #expect(story(foretold.redirected(to: url + "b", status: 307)) == "w(/ab) R(307 /a>/ab)")
    #expect(foretold.url == url + "b")
    foretold.forget()
    #expect(!foretold.isFetching)
    #expect(story(foretold.completed(start + [.committed(url: url)])) == "W(/a) S(/a) C(/a)")
  }

  @Test func aGivenResponseFollowsTheStart() {
    var foretold = ForetoldNavigation()
    foretold.give(response)
    #expect(story(foretold.completed(start + [.committed(url: url)])) == "W(/a) S(/a) A(200) C(/a)")
    #expect(story(foretold.completed(start)) == "W(/a) S(/a)")
  }

  @Test func aNavigationOfThePageTakesThePlaceOfAFetch() {
    var foretold = ForetoldNavigation()
    _ = foretold.begin(url: url)
    #expect(story(foretold.completed(start)) == "W(/a) S(/a)")
    #expect(!foretold.isFetching)
    #expect(foretold.failed(LoadError(.other, "")).isEmpty)
  }

  @Test func whatIsFetchedIsNoPlaceInTheDocument() {
    var foretold = ForetoldNavigation()
    _ = foretold.begin(url: url)
    #expect(foretold.completed([.sameDocumentNavigation(url: url)]).isEmpty && foretold.isFetching)
    foretold.forget()
    #expect(story(foretold.completed([.sameDocumentNavigation(url: url)])) != "")
  }
}
