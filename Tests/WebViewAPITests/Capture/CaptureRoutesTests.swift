import HTTPModel
import Testing
import WebViewCore

@testable import WebViewAPI

@Suite struct CaptureRoutesTests {
  @Test("A picture is bytes that a browser takes for nothing else")
  func picture() async throws {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    let picture = await server.send(.get, "/v1/controllers/\(id)/snapshot?region=viewport&format=png")
    #expect(picture.status == 200 && picture.bytes == StubImage.png)
    #expect(picture.headers["Content-Type"] == "image/png")
    #expect(picture.headers["X-Content-Type-Options"] == "nosniff")
    let beyond = await server.send(.get, "/v1/controllers/\(id)/snapshot?x=0&y=0&width=9999&height=10")
    #expect(beyond.status == 400 && beyond.code == "invalidArgument")
  }

  @Test("What is asked for is what the query says, and else the whole viewport as it is painted")
  func request() throws {
    var plain = try OperationInput(query: nil)
    #expect(try plain.snapshotRequest() == SnapshotRequest())
    var input = try OperationInput(
      query:
        "x=0.5&width=10&height=20.25&snapshotWidth=100&afterScreenUpdates=false&allowTransparentBackground=true"
    )
    var expected = SnapshotRequest()
    expected.rectangle = .init(x: 0.5, y: 0, width: 10, height: 20.25)
    expected.snapshotWidth = 100
    expected.afterScreenUpdates = false
    expected.allowTransparentBackground = true
    #expect(try input.snapshotRequest() == expected)
    try input.finish()
  }
}
