import Foundation
import WebViewCore

@main
enum Program {
  static let version = "0.1.0"

  static func main() {
    // Children must die of SIGTERM, also when this process was started with signals blocked.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    // A client that is gone is an error of a write, not the end of the program.
    signal(SIGPIPE, SIG_IGN)

    let environment = ProcessInfo.processInfo.environment
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch try CommandLineParser().parse(arguments: arguments, environment: environment) {
      case .showHelp: print(HelpText.make(), terminator: "")
      case .showVersion: print("webview-server \(version)")
      case .checkHealth(let configuration): checkHealth(configuration)
      case .serve(let configuration): print(configuration)
      }
    } catch {
      complain(error.message)
      exit(2)
    }
  }

  private static func checkHealth(_ configuration: ServerConfiguration) {
    switch HealthCheck.run(configuration.listen[0]) {
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
