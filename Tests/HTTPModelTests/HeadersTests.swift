import HTTPModel
import Testing

@Suite struct HeadersTests {
  @Test func namesCompareWithoutCase() {
    var headers: HTTPHeaders = ["Content-Type": "a", "X-Two": "1"]
    headers.add("x-two", "2")
    #expect(headers["content-TYPE"] == "a")
    #expect(headers["X-TWO"] == "1")
    #expect(headers.all("X-two") == ["1", "2"])
    #expect(headers["Content_Type"] == nil)
    #expect(headers["[-two"] == nil)
  }

  @Test func settingReplacesAllAndNilRemoves() {
    var headers: HTTPHeaders = ["A": "1", "a": "2", "B": "3"]
    headers["a"] = "4"
    #expect(headers.all("A") == ["4"])
    headers["A"] = nil
    #expect(headers.fields == [HTTPHeaders.Field(name: "B", value: "3")])
  }
}
