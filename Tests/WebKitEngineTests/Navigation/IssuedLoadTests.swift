import Testing

@testable import WebKitEngine

@Suite struct IssuedLoadTests {
  private func given(_ method: String = "GET") -> IssuedLoad<String> {
    var load = IssuedLoad<String>()
    _ = load.ask()
    load.give("begin")
    load.requested(method)
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
    load.requested("GET")
    #expect(load.number != older && load.begin == "begin" && load.canBeDropped)
  }

  @Test func whatHasADocumentIsNotGivenAgain() {
    var load = given()
    load.ended()
    #expect(load.begin == nil && !load.canBeDropped)
  }

  @Test func onlyWhatChangesNothingIsAskedForOnceMore() {
    #expect(!given("POST").canBeDropped)
  }

  @Test func patienceHasAnEnd() {
    var load = given()
    for _ in 0..<3 {
      #expect(load.canBeDropped)
      load.dropped()
      load.giveAgain("begin")
      load.requested("GET")
    }
    #expect(!load.canBeDropped)
    _ = load.ask()
    load.give("other")
    load.requested("GET")
    #expect(load.canBeDropped)
  }

  @Test func thePageTakesItsPlaceSoOftenAndNoMore() {
    var load = given()
    #expect(load.canBeRepeated)
    let often = (0..<4).map { _ in load.overtaken() }
    #expect(often == [true, true, true, false])
    _ = load.ask()
    #expect(load.canBeRepeated, "it is still prepared, and will be given")
    load.give("other")
    #expect(load.canBeRepeated, "no site was asked yet")
    let again = load.overtaken()
    #expect(again)
    #expect(!given("POST").canBeRepeated)
    load.ended()
    #expect(!load.canBeRepeated, "there is nothing to be given")
  }
}
