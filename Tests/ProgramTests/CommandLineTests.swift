import SoupTransport
import Testing

@testable import webview_server

private func parse(_ arguments: String..., environment: [String: String] = [:]) throws -> Command {
  try CommandLineParser().parse(arguments: arguments, environment: environment)
}

private func configuration(
  _ arguments: String..., environment: [String: String] = [:]
) throws -> ServerConfiguration {
  let command = try CommandLineParser().parse(arguments: arguments, environment: environment)
  guard case .serve(let configuration) = command else { throw UsageError("not a serve command") }
  return configuration
}

@Suite struct CommandLine {
  @Test func withoutArgumentsServesOnLoopback() throws {
    #expect(try configuration() == ServerConfiguration())
    #expect(ServerConfiguration().listen == [.tcp(host: "127.0.0.1", port: 7788)])
  }

  @Test func takesValuesAfterASpaceOrAnEqualsSign() throws {
    #expect(try configuration("--data-dir", "/a").dataDirectory == "/a")
    #expect(try configuration("--data-dir=/a=b").dataDirectory == "/a=b")
  }

  @Test func repeatableOptionsAddUpAndReplaceTheDefault() throws {
    let listen = try configuration("--listen", "127.0.0.1:1", "--listen", "unix:/s", "--listen", "[::1]:0")
      .listen
    #expect(listen == [.tcp(host: "127.0.0.1", port: 1), .unix(path: "/s"), .tcp(host: "::1", port: 0)])
  }

  @Test func winsOverTheEnvironment() throws {
    let environment = ["WEBVIEW_SERVER_LOG_LEVEL": "debug", "WEBVIEW_SERVER_LISTEN": "127.0.0.1:1,[::1]:2"]
    #expect(try configuration(environment: environment).logLevel == .debug)
    #expect(try configuration(environment: environment).listen.count == 2)
    #expect(try configuration("--log-level", "error", environment: environment).logLevel == .error)
    #expect(try configuration("--listen", "127.0.0.1:3", environment: environment).listen.count == 1)
  }

  @Test func variablesSetToNothingAreUnset() throws {
    #expect(try configuration(environment: ["WEBVIEW_SERVER_LOG_LEVEL": ""]).logLevel == .info)
  }

  @Test func everyOptionHasItsVariable() {
    #expect(Option.all.first { $0.name == "--log-format" }?.environmentName == "WEBVIEW_SERVER_LOG_FORMAT")
    #expect(Set(Option.all.map(\.environmentName)).count == Option.all.count)
  }

  @Test func commandsThatAreNotServing() throws {
    #expect(try parse("--help") == .showHelp)
    #expect(try parse("--version") == .showVersion)
    guard case .checkHealth(let configuration) = try parse("--check-health", "--listen", "0.0.0.0:80") else {
      Issue.record("not a health check")
      return
    }
    #expect(configuration.listen == [.tcp(host: "0.0.0.0", port: 80)])
  }

  @Test(arguments: [
    (["--lisen", "x"], "--listen"), (["--nonsense"], "unknown option '--nonsense'"),
    (["serve"], "unknown argument"),
    (["--listen"], "needs a value"), (["--listen", "7788"], "HOST:PORT"),
    (["--listen", "127.0.0.1:99999"], "HOST:PORT"),
    (["--listen", "127.0.0.1:"], "HOST:PORT"), (["--listen", "example.com:80"], "--token-file"),
    (["--listen", "unix:"], "unix:"), (["--listen", "::1:80"], "[IPV6]:PORT"),
    (["--log-level", "loud"], "error, warning, info, debug"), (["--log-format", "xml"], "text, json"),
    (["--display", "0"], "auto"), (["--display", ":x"], "auto"), (["--drain", "soon"], "0 to 600"),
    (["--drain", "601"], "0 to 600"), (["--drain", "nan"], "0 to 600"),
    (["--allow-host", "http://x"], "host name"), (["--allow-host", "x:80"], "host name"),
    (["--allow-origin", "app.example"], "scheme://host"),
    (["--allow-origin", "https://a/b"], "scheme://host"),
    (["--allow-origin", "*"], "scheme://host"), (["--data-dir", ""], "needs a path"),
    (["--data-dir", "/a", "--data-dir", "/b"], "given twice"), (["--sandbox", "maybe"], "on, off, require"),
    (["--tls-certificate", "/c"], "--tls-key FILE"), (["--tls-key", "/k"], "--tls-certificate FILE"),
    (["--tls-key", ""], "needs a path"), (["--tls-certificat", "/c"], "--tls-certificate"),
    (["--check-health", "--tls-key", "/k"], "--tls-certificate FILE"),
    (["--help=1"], "takes no value"), (["--version="], "takes no value"),
    (["--token", "secret"], "--token-file"), (["--token=secret"], "--token-file"),
  ])
  func mistakesAreNamedWithWhatWouldBeRight(arguments: [String], expected: String) throws {
    let error = #expect(throws: UsageError.self) {
      try CommandLineParser().parse(arguments: arguments, environment: [:])
    }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret") == false)
    #expect(error?.message.contains("\n") == false)
  }

  @Test(arguments: ["0.0.0.0:80", "[::]:80", "192.168.1.2:80"])
  func listeningBeyondLoopbackNeedsAToken(address: String) throws {
    let error = #expect(throws: UsageError.self) { try configuration("--listen", address) }
    #expect(error?.message.contains("--token-file") == true)
    _ = try configuration("--listen", address, "--token-file", "/t")
    _ = try configuration("--listen", address, environment: ["WEBVIEW_SERVER_TOKEN": "t"])
  }

  @Test(arguments: ["127.0.0.1:80", "127.9.9.9:80", "[::1]:80", "localhost:80", "unix:/s"])
  func loopbackNeedsNone(address: String) throws {
    _ = try configuration("--listen", address)
  }

  @Test func aVariableOfNothingButCommasIsAMistake() {
    let error = #expect(throws: UsageError.self) {
      try configuration(environment: ["WEBVIEW_SERVER_LISTEN": ","])
    }
    #expect(error?.message.contains("WEBVIEW_SERVER_LISTEN") == true)
  }

  @Test func anEmptyTokenIsAMistake() {
    #expect(throws: UsageError.self) { try configuration(environment: ["WEBVIEW_SERVER_TOKEN": ""]) }
  }

  @Test func twoTokensInTheEnvironmentAreAMistakeAndTheOptionWins() throws {
    let environment = ["WEBVIEW_SERVER_TOKEN": "t", "WEBVIEW_SERVER_TOKEN_FILE": "/t"]
    #expect(throws: UsageError.self) { try configuration(environment: environment) }
    #expect(
      try configuration("--token-file", "/u", environment: ["WEBVIEW_SERVER_TOKEN": "t"]).token == .file("/u")
    )
  }

  @Test func aCertificateAndItsKeyBelongTogether() throws {
    #expect(try configuration().tls == nil)
    let identity = TLSIdentity(certificateFile: "/c", keyFile: "/k")
    #expect(try configuration("--tls-certificate", "/c", "--tls-key", "/k").tls == identity)
    // Each from where it was given.
    #expect(
      try configuration("--tls-key=/k", environment: ["WEBVIEW_SERVER_TLS_CERTIFICATE": "/c"]).tls == identity
    )
  }

  @Test func originsAreKeptAsBrowsersSendThem() throws {
    let origins = try configuration(
      "--allow-origin", "HTTPS://App.Example:443", "--allow-origin", "http://[::1]:8080"
    )
    .allowedOrigins
    #expect(origins == ["https://app.example", "http://[::1]:8080"])
  }

  @Test func hostsAreKeptAsAHostFieldNamesThem() throws {
    let hosts = try configuration("--allow-host", "[FD00::1]", "--allow-host", "Box.internal").allowedHosts
    #expect(hosts == ["[fd00::1]", "box.internal"])
  }

  @Test func helpNamesEveryOptionAndFitsATerminal() {
    let help = HelpText.make()
    for option in Option.all { #expect(help.contains(option.name)) }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
