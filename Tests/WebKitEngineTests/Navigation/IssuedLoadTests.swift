import Testing

@testable import WebKitEngine

@Suite struct IssuedLoadTests {
  private func given(isGet: Bool = true) -> IssuedLoad<String> {
    var load = IssuedLoad<String>()
    _ = load.ask()
    load.give("begin")
    load.requested(isGet: isGet)
    return load
  }

  @Test func aNewerLoadTakesItsPlaceBeforeWebKitIsGivenIt() {
    var load = given()
    let older = load.number
    #expect(load.ask() != older)
    #expect(load.begin == nil && !load.canBeDropped)
  }

  @Test func whatIsGivenAgainIsAnotherLoad() {
    var load = given()
    let older = load.number
    load.giveAgain("begin")
    #expect(load.number != older && load.begin == "begin" && load.canBeDropped)
  }

  @Test func whatHasADocumentIsNotGivenAgain() {
    var load = given()
    load.ended()
    #expect(load.begin == nil && !load.canBeDropped)
  }

  @Test func onlyWhatChangesNothingIsAskedForOnceMore() {
    #expect(!given(isGet: false).canBeDropped)
  }

  @Test func patienceHasAnEnd() {
    var load = given()
    for _ in 0..<3 {
      #expect(load.canBeDropped)
      load.dropped()
      load.giveAgain("begin")
    }
    #expect(!load.canBeDropped)
    _ = load.ask()
    load.give("other")
    load.requested(isGet: true)
    #expect(load.canBeDropped)
  }
}
