import Testing
import WebViewAPI
import WebViewCore

@Suite(.timeLimit(.minutes(1))) struct RequestRoutesTests {
  private let url = #""url":"http://localhost/""#

  private func send(_ operation: String, _ json: String) async throws -> TestAnswer {
    let server = await TestServer()
    let (id, _) = try await server.makeController()
    return await server.send(.post, "/v1/controllers/\(id)/load/\(operation)", json: json)
  }

  @Test("A request is answered as every load is")
  func loads() async throws {
    let answer = try await send(
      "request", #"{\#(url),"method":"PUT","headers":{"X-A":"b"},"bodyBase64":"AAE","wait":{"event":"none"}}"#
    )
    #expect(answer.status == 202 && answer.object["accepted"] == true)
    let waited = try await send("request", "{\(url),\"timeoutInterval\":0.5}")
    #expect(waited.status == 200 && waited.object["loaded"] == true)
  }

  @Test(
    "A member of a request that is wrong is named",
    arguments: [
      (#""method":"CONNECT""#, "/method"), (#""method":1"#, "/method"),
      (#""headers":{"X-A":1}"#, "/headers/X-A"),
      (#""headers":[]"#, "/headers"), (#""headers":{"X-A":["b"]}"#, "/headers/X-A"),
      (#""headers":{"Host":"b"}"#, "/headers/Host"), (#""headers":{"A/B":"b"}"#, "/headers/A~1B"),
      (#""body":"x""#, "/body"), (#""method":"PUT","body":"x","bodyBase64":"AAAA""#, "/bodyBase64"),
      (#""method":"PUT","bodyBase64":"*""#, "/bodyBase64"), (#""timeoutInterval":0"#, "/timeoutInterval"),
      (#""timeoutInterval":"1""#, "/timeoutInterval"), (#""timeoutInterval":86401"#, "/timeoutInterval"),
      (#""cachePolicy":"never""#, "/cachePolicy"),
      (#""cachePolicy":"returnCacheDataDontLoad""#, "/cachePolicy"),
      (#""cache":1"#, "/cache"),
    ])
  func refusals(member: String, pointer: String) async throws {
    let answer = try await send("request", "{\(url),\(member)}")
    #expect(answer.status == 400 && answer.code == "invalidArgument", "\(answer)")
    #expect(answer.details["pointer"]?.text == pointer, "\(answer)")
  }

  @Test("A simulated response is shown as a load")
  func simulated() async throws {
    for content in [
      #""html":"<p>""#, #""response":{"headers":{"content-type":"text/plain"}},"dataBase64":"AA""#,
    ] {
      let answer = try await send("simulated", "{\"request\":{\(url)},\(content)}")
      #expect(answer.status == 200 && answer.object["loaded"] == true, "\(answer)")
    }
  }

  @Test(
    "A member of a simulated response that is wrong is named",
    arguments: [
      (#""html":"x","response":{"headers":{"X-A":"b"}}"#, "/response/headers/X-A"),
      (#""html":"x","response":{"headers":{"Set-Cookie":["a",1]}}"#, "/response/headers/Set-Cookie/1"),
      (#""html":"x","response":{"statusCode":99}"#, "/response/statusCode"),
      (#""html":"x","response":{"status":200}"#, "/response/status"),
      (#""html":"x","data":"y""#, "/html"), (#""data":"x""#, "/response/headers/Content-Type"),
      (
        #""html":"x","response":{"headers":{"Content-Type":"text/html; charset=shift_jis"}}"#,
        "/response/headers/Content-Type"
      ), (#""response":{}"#, "/html"),
    ])
  func simulatedRefusals(members: String, pointer: String) async throws {
    let answer = try await send("simulated", "{\"request\":{\(url)},\(members)}")
    #expect(answer.status == 400 && answer.details["pointer"]?.text == pointer, "\(answer)")
  }

  @Test("The request of a simulated response is one of the web")
  func simulatedRequests() async throws {
    for (request, pointer) in [
      (#"{"url":"about:blank"}"#, "/request/url"), (#"{}"#, "/request/url"),
      ("{\(url),\"headers\":{\"TE\":\"x\"}}", "/request/headers/TE"), ("{\(url),\"x\":1}", "/request/x"),
    ] {
      let answer = try await send("simulated", #"{"request":\#(request),"html":"x"}"#)
      #expect(answer.status == 400 && answer.details["pointer"]?.text == pointer, "\(answer)")
    }
    #expect(try await send("simulated", #"{"html":"x"}"#).details["pointer"]?.text == "/request")
  }
}
