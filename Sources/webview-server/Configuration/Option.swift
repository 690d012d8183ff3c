/// One option: how it is written, what it means, and how its text becomes a part of the configuration.
struct Option: Sendable {
  /// As on the command line, with the dashes.
  let name: String
  /// What stands for the value in the help text.
  let placeholder: String
  let isRepeatable: Bool
  /// For the help text; lines are broken where they are.
  let summary: String
  let defaultText: String?
  /// Adds one value. The first of several replaces the default.
  let apply:
    @Sendable (inout ServerConfiguration, _ value: String, _ isFirst: Bool) throws(UsageError) -> Void

  init(
    _ name: String, _ placeholder: String, isRepeatable: Bool = false, default defaultText: String? = nil,
    _ summary: String,
    apply: @escaping @Sendable (inout ServerConfiguration, String, Bool) throws(UsageError) -> Void
  ) {
    self.name = name
    self.placeholder = placeholder
    self.isRepeatable = isRepeatable
    self.defaultText = defaultText
    self.summary = summary
    self.apply = apply
  }

  /// `--log-level` is `WEBVIEW_SERVER_LOG_LEVEL`.
  var environmentName: String {
    "WEBVIEW_SERVER_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
  }
}

extension Option {
  /// The variable that holds the token itself; there is no option of that kind.
  static let tokenVariable = "WEBVIEW_SERVER_TOKEN"

  /// In the order of the help text.
  static let all: [Option] = [
    Option(
      "--listen", "HOST:PORT|unix:PATH", isRepeatable: true, default: "127.0.0.1:7788",
      "Address to serve on; [::1]:7788 is IPv6, port 0 picks a free one. Beyond loopback a token is needed."
    ) { (configuration, value, isFirst) throws(UsageError) in
      if isFirst { configuration.listen = [] }
      let address = try listenAddress(value)
      guard !configuration.listen.contains(address) else { throw UsageError("'\(value)' is given twice") }
      configuration.listen.append(address)
    },
    Option(
      "--token-file", "FILE",
      "File that holds the bearer token every request must carry."
    ) { (configuration, value, _) throws(UsageError) in
      configuration.token = .file(try nonEmpty(value, "a path"))
    },
    Option(
      "--tls-certificate", "FILE",
      "Serve HTTPS on HOST:PORT addresses with this certificate (PEM, those that vouch for it behind it). Needs --tls-key."
    ) { (configuration, value, _) throws(UsageError) in
      configuration.tlsCertificate = try nonEmpty(value, "a path")
    },
    Option(
      "--tls-key", "FILE",
      "The certificate's private key (PEM)."
    ) { (configuration, value, _) throws(UsageError) in
      configuration.tlsKey = try nonEmpty(value, "a path")
    },
    Option(
      "--allow-host", "NAME", isRepeatable: true,
      "Host name that requests may use, beside the loopback names, when there is no token."
    ) { (configuration, value, isFirst) throws(UsageError) in
      if isFirst { configuration.allowedHosts = [] }
      configuration.allowedHosts.append(try hostName(value))
    },
    Option(
      "--allow-origin", "ORIGIN", isRepeatable: true,
      "Origin of web pages that may use this server, such as https://app.example."
    ) { (configuration, value, isFirst) throws(UsageError) in
      if isFirst { configuration.allowedOrigins = [] }
      configuration.allowedOrigins.append(try origin(value))
    },
    Option(
      "--data-dir", "DIR", default: "$XDG_DATA_HOME/webview-server",
      "Directory for the database and the cookies of persistent controllers. One server at a time."
    ) { (configuration, value, _) throws(UsageError) in
      configuration.dataDirectory = try nonEmpty(value, "a path")
    },
    Option(
      "--files-dir", "DIR",
      "Directory below which loadFile may read; without it loadFile is forbidden."
    ) { (configuration, value, _) throws(UsageError) in
      configuration.filesDirectory = try nonEmpty(value, "a path")
    },
    Option(
      "--sandbox", "on|off|require", default: "on",
      "Isolate each page's process with bubblewrap. on falls back with a warning, require refuses to start."
    ) { (configuration, value, _) throws(UsageError) in configuration.sandbox = try choice(value) },
    Option(
      "--display", "auto|:N", default: "auto",
      "X display to draw on. auto takes $DISPLAY, else starts a private Xvfb."
    ) { (configuration, value, _) throws(UsageError) in configuration.display = try display(value) },
    Option(
      "--drain", "SECONDS", default: "10",
      "How long requests under way may take after SIGTERM."
    ) { (configuration, value, _) throws(UsageError) in configuration.drain = try seconds(value, upTo: 600) },
    Option(
      "--log-format", "text|json", default: "text",
      "Form of the log on standard error."
    ) { (configuration, value, _) throws(UsageError) in configuration.logFormat = try choice(value) },
    Option(
      "--log-level", "error|warning|info|debug", default: "info",
      "Least important messages that are logged; info has a line for each request."
    ) { (configuration, value, _) throws(UsageError) in configuration.logLevel = try choice(value) },
  ]
}
