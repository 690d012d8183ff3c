import SoupTransport

/// Everything the command line and the environment say, checked.
struct ServerConfiguration: Sendable, Equatable {
  enum Display: Sendable, Equatable {
    /// `$DISPLAY`, else a private one.
    case automatic
    case number(String)
  }
  enum Sandbox: String, Sendable, CaseIterable { case on, off, require }

  var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 7788)]
  /// The token's source; its text never stands on a command line.
  var token: TokenSource = .none
  /// PEM files; both or none.
  var tlsCertificate: String?
  var tlsKey: String?
  var allowedHosts: [String] = []
  var allowedOrigins: [String] = []
  /// nil: the user's own, see `DataDirectory`.
  var dataDirectory: String?
  var filesDirectory: String?
  var display: Display = .automatic
  var sandbox: Sandbox = .on
  /// Seconds that requests under way get after SIGTERM.
  var drain: Double = 10
  var logFormat: LogFormat = .text
  var logLevel: LogLevel = .info
}

extension ServerConfiguration {
  /// nil serves plain HTTP.
  var tls: TLSIdentity? {
    guard let tlsCertificate, let tlsKey else { return nil }
    return TLSIdentity(certificateFile: tlsCertificate, keyFile: tlsKey)
  }
}

enum TokenSource: Sendable, Equatable {
  case none
  case file(String)
  case environment(String)
}

/// What the command line asks the program to do.
enum Command: Sendable, Equatable {
  case serve(ServerConfiguration)
  case checkHealth(ServerConfiguration)
  case showHelp
  case showVersion
}

/// What is wrong with the command line or the environment: one line, which says what would be right.
struct UsageError: Error, Equatable {
  let message: String
  init(_ message: String) { self.message = message }
}
