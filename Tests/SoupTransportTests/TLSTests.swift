import Foundation
import GLibBridge
import Glibc
import HTTPModel
import SoupTransport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TLSTests {
  private static let identity = make()

  /// Self-signed; nil when openssl could not.
  private static func make() -> TLSIdentity? {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let made = TLSIdentity(certificateFile: folder + "/own.pem", keyFile: folder + "/own.key")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-subj", "/CN=localhost", "-out", made.certificateFile, "-keyout", made.keyFile,
    ]
    process.standardError = FileHandle.nullDevice
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try process.run()
    } catch { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? made : nil
  }

  private func options(_ adjust: (inout TransportOptions) -> Void = { _ in }) throws -> TransportOptions {
    let identity = try #require(Self.identity)
    return .with {
      $0.tls = identity
      adjust(&$0)
    }
  }

  /// The first line and the body of the answer to a GET.
  private static func get(_ bound: BoundAddress) throws -> String {
    let socket = try RawClient(bound)
    let client = try withExtendedLifetime(socket) {
      try TLSClient(owning: dup(socket.descriptor), timeout: 20)
    }
    try client.write(Array("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
    var answer: [UInt8] = []
    while case let part = try client.read(), !part.isEmpty { answer += part }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test func aRequestIsServedAndKnownToBeSecure() async throws {
    let seen = Event<HTTPRequestHead>()
    let handler = ScriptedHandler(responding: { head, _ in
      seen.happen(head)
      return .text("hidden")
    })
    try await withServer(handler, options: try options()) { _, bound in
      #expect(bound.description.hasPrefix("https://127.0.0.1:"))
      let answer = try await blocking { try Self.get(bound) }
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("hidden"), "\(answer)")
      #expect(await seen.value.isSecure)
    }
  }

  @Test(arguments: ["", "\u{16}\u{03}\u{01}\u{02}"])
  func aHandshakeThatStopsIsEndedAtTheDeadlineOfHeaders(begun: String) async throws {
    let options = try options { $0.headerTimeout = .milliseconds(200) }
    try await withServer(ScriptedHandler(), options: options) { server, bound in
      let client = try RawClient(bound)
      client.send(begun)
      #expect(try await blocking { try client.receiveToEnd().count < 20 }, "an alert at most")
      await eventually("nothing is left of it") { await server.connectionCount == 0 }
    }
  }

  @Test func plainHTTPHearsTheEndAndNoAnswer() async throws {
    try await withServer(ScriptedHandler(), options: try options()) { server, bound in
      // More than one record of TLS holds: what is unread when a socket closes resets its connection.
      let body = String(repeating: "x", count: 100_000)
      try await blocking {
        let client = try RawClient(bound)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
        expectEqual(try client.receiveToEnd().starts(with: Array("HTTP".utf8)), false)
      }
      await eventually("nothing is left of it") { await server.connectionCount == 0 }
      let answer = try await blocking { try Self.get(bound) }
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func stoppingWaitsForNoHandshake() async throws {
    let server = SoupHTTPServer(handler: ScriptedHandler(), options: try options())
    let bound = try await server.listen(on: .tcp(host: "127.0.0.1", port: 0))
    let client = try RawClient(bound)
    await eventually("it is there") { await server.connectionCount == 1 }
    await server.stop(drain: .seconds(60))
    #expect(await server.connectionCount == 0)
    #expect(try await blocking { try client.receiveToEnd().count < 20 })
  }

  @Test func filesThatAreNoIdentityAreAnError() async throws {
    let identity = try #require(Self.identity)
    try identity.check()
    for (certificate, key) in [
      ("/no/such/file", identity.keyFile), (identity.certificateFile, "/no/such/file"),
      ("/dev/null", identity.keyFile),
    ] {
      let wrong = TLSIdentity(certificateFile: certificate, keyFile: key)
      #expect(throws: GLibError.self) { try wrong.check() }
      let server = SoupHTTPServer(handler: ScriptedHandler(), options: .with { $0.tls = wrong })
      await #expect(throws: ListenFailure.self) {
        try await server.listen(on: .tcp(host: "127.0.0.1", port: 0))
      }
      await server.stop(drain: .zero)
    }
  }

  @Test func aKeyOfAnotherCertificateIsFoundOut() throws {
    var mixed = try #require(Self.identity)
    mixed.keyFile = try #require(Self.make()).keyFile
    #expect(throws: GLibError.self) { try mixed.check() }
  }
}
