import HTTPModel
import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct ServerRoutesTests {
  @Test("The server tells its version, limits and what it can do")
  func server() async throws {
    let server = await TestServer()
    let told = await server.send(.get, "/v1/server").object
    #expect(told["version"]?.text == "1.2.3" && told["limits"]?.object?["timeout"]?.integer == 600)
    #expect(told["auth"] == ["tokenRequired": false] && told["pool"] == ["controllers": 0])
    let capabilities = await server.send(.get, "/v1/capabilities").object
    #expect(
      capabilities["navigationPolicies"] == ["allow", "cancel"] && capabilities["downloadPolicy"] == false)
    #expect(await server.send(.get, "/openapi.json").text == #"{"openapi":"3.1.0"}"#)
    #expect(server.faults.withLock { $0 } == [])
  }
}
