import Foundation
import GLibBridge
import SoupTransport
import WebViewCore

@main
enum Program {
  static let version = "0.1.0"

  static func main() {
    UnixSignals.resetMask()
    let environment = ProcessInfo.processInfo.environment
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch try CommandLineParser().parse(arguments: arguments, environment: environment) {
      case .showHelp: print(HelpText.make(), terminator: "")
      case .showVersion: print("webview-server \(version)")
      case .checkHealth(let configuration): checkHealth(configuration)
      case .serve(let configuration): try serve(configuration, environment)
      }
    } catch {
      complain(error.message)
      exit(2)
    }
  }

  private static func serve(
    _ configuration: ServerConfiguration, _ environment: [String: String]
  ) throws(UsageError) {
    let token = try AccessToken(configuration.token)
    // Children inherit the environment, and pages run in children. The kernel shows what it was at the start, also
    // of us and of copies of us.
    if let value = getenv(Option.tokenVariable) { memset(value, 0, strlen(value)) }
    unsetenv(Option.tokenVariable)
    let log = Log(format: configuration.logFormat, level: configuration.logLevel)
    if let tls = configuration.tls { try check(tls) }
    StructuredLog.install(verbosity: configuration.logLevel == .debug ? .debug : .message) { log.library($0) }

    let given: String
    if let directory = configuration.dataDirectory {
      given = directory
    } else {
      given = try UserDirectories.data(environment: environment)
    }
    let dataDirectory = UserDirectories.absolute(given)
    let filesDirectory: String?
    if let path = configuration.filesDirectory {
      filesDirectory = try UserDirectories.files(path)
    } else {
      filesDirectory = nil
    }
    try UserDirectories.complete(environment: environment, dataDirectory: dataDirectory)

    // Before anything makes a thread: a log line does.
    let guardian = Guardian.start()
    if let warning = token.warning { log.write(.warning, warning) }
    if let warning = configuration.tls.flatMap({ SecretFile.warning($0.keyFile, "key file") }) {
      log.write(.warning, warning)
    }

    // This thread runs GTK's loop, and with it everything that holds a page.
    let loop = LoopExecutor()
    loop.bindToCurrentThread()
    PageActor.install(loop, taskExecutor: loop.taskExecutor)
    let lifetime = Lifetime(
      ServerSetup(
        configuration: configuration, environment: environment, token: token.text,
        dataDirectory: dataDirectory,
        filesDirectory: filesDirectory, log: log, loop: loop, guardian: guardian))
    lifetime.takeSignals()
    let hint = "pages in an endless loop would outlive a kill -9 of the server for seconds"
    if let guardian {
      guardian.watch(in: loop) { log.write(.warning, "the guardian process was ended: \(hint)") }
    } else {
      log.write(.warning, "no guardian process could be started: \(hint)")
    }
    Task(executorPreference: loop.taskExecutor) { await lifetime.start() }
    MainLoop.run()
  }

  private static func check(_ tls: TLSIdentity) throws(UsageError) {
    do { try tls.check() } catch {
      throw UsageError(
        "--tls-certificate \(tls.certificateFile) and --tls-key \(tls.keyFile) cannot be used: \(error.message)"
      )
    }
  }

  private static func checkHealth(_ configuration: ServerConfiguration) {
    switch HealthCheck.run(configuration.listen[0], isSecure: configuration.tls != nil) {
    case .healthy: exit(0)
    case .ill(let reason):
      complain(reason)
      exit(1)
    }
  }

  static func complain(_ message: String) {
    FileHandle.standardError.write(Data("webview-server: \(message)\n".utf8))
  }
}
