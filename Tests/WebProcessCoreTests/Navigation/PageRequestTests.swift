import Testing
import WebProcessCore

@Suite struct PageRequestTests {
  private let url = "http://a.test/x"

  private func purpose(_ request: PageRequest, mainDocument: [String] = []) -> PageRequest.Purpose {
    request.purpose { mainDocument.contains($0) }
  }

  @Test(arguments: [
    ("document", PageRequest.Purpose.mainDocument), ("iframe", .frameDocument), ("frame", .frameDocument),
    ("object", .frameDocument), ("embed", .frameDocument), ("image", .resource), ("empty", .resource),
    ("script", .resource), ("", .resource),
  ]) func aDestinationTellsIt(destination: String, purpose expected: PageRequest.Purpose) {
    // Whatever else would tell otherwise.
    let request = PageRequest(
      url: url, destination: destination, upgradesInsecureRequests: true, pageURL: url)
    #expect(purpose(request) == expected)
    var redirected = request
    redirected.redirectedFrom = url
    #expect(purpose(redirected, mainDocument: [url]) == expected)
  }

  @Test func withoutADestinationThePagesOwnAddressTellsIt() {
    #expect(
      purpose(PageRequest(url: url, upgradesInsecureRequests: true, pageURL: url + "#f")) == .mainDocument)
    #expect(
      purpose(PageRequest(url: url, upgradesInsecureRequests: true, pageURL: "http://a.test/"))
        == .frameDocument)
    #expect(purpose(PageRequest(url: url, upgradesInsecureRequests: true)) == .frameDocument)
    #expect(purpose(PageRequest(url: url, pageURL: url)) == .resource)
  }

  @Test func withoutADestinationARedirectIsWhereItComesFrom() {
    let request = PageRequest(
      url: url, upgradesInsecureRequests: true, redirectedFrom: "http://a.test/r", pageURL: url)
    #expect(purpose(request, mainDocument: ["http://a.test/r"]) == .mainDocument)
    #expect(purpose(request, mainDocument: ["http://a.test/"]) == .frameDocument)
  }
}
