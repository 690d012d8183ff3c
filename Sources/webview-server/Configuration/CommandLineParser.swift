import WebViewCore

/// Turns arguments and environment into a `Command`. Arguments win over the environment, which wins over defaults.
struct CommandLineParser {
  let options: [Option]

  init(options: [Option] = Option.all) { self.options = options }

  /// - Parameter arguments: without the program's name.
  func parse(arguments: [String], environment: [String: String]) throws(UsageError) -> Command {
    var given: [String: [String]] = [:]
    var isHealthCheck = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return .showHelp
      case "--version": return .showVersion
      case "--check-health": isHealthCheck = true
      default:
        let (option, value) = try read(argument, &rest)
        given[option.name, default: []].append(value)
      }
    }
    let configuration = try configuration(given: given, environment: environment)
    try checkTLS(configuration)
    if isHealthCheck { return .checkHealth(configuration) }
    try checkReach(configuration)
    return .serve(configuration)
  }

  private func read(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> (
    Option, String
  ) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if parts.count == 2, ["--help", "--version", "--check-health"].contains(name) {
      throw UsageError("\(name) takes no value")
    }
    if name == "--token" {
      throw UsageError(
        "--token does not exist: arguments are visible to every user of the machine. "
          + "Use --token-file FILE or the variable \(Option.tokenVariable)")
    }
    guard let option = options.first(where: { $0.name == name }) else {
      let isOption = argument.hasPrefix("-")
      let names = options.map(\.name) + ["--help", "--version", "--check-health"]
      let near = isOption ? NearMatch.best(for: name, among: names).map { ", did you mean \($0)?" } ?? "" : ""
      throw UsageError(
        "unknown \(isOption ? "option" : "argument") '\(isOption ? name : argument)'\(near) (--help lists the options)"
      )
    }
    if parts.count == 2 { return (option, String(parts[1])) }
    guard let value = rest.popFirst() else {
      throw UsageError("\(name) needs a value: \(name) \(option.placeholder)")
    }
    return (option, value)
  }

  private func configuration(
    given: [String: [String]], environment: [String: String]
  ) throws(UsageError) -> ServerConfiguration {
    var configuration = ServerConfiguration()
    if let token = environment[Option.tokenVariable] {
      // An empty token would switch the protection off where someone meant to switch it on.
      guard !token.isEmpty else {
        throw UsageError("\(Option.tokenVariable) is empty: give it a token or unset it")
      }
      configuration.token = .environment(token)
    }
    for option in options {
      if let values = given[option.name] {
        guard values.count == 1 || option.isRepeatable else {
          throw UsageError("\(option.name) is given twice")
        }
        try apply(option, values, calledAs: option.name, to: &configuration)
      } else if let text = environment[option.environmentName], !text.isEmpty {
        // Container files pass variables on that are set to nothing: those count as unset.
        let values = option.isRepeatable ? text.split(separator: ",").map(String.init) : [text]
        guard !values.isEmpty else {
          throw UsageError("\(option.environmentName) holds no value: give it one or unset it")
        }
        let isSecondToken = option.name == "--token-file" && configuration.token != .none
        guard !isSecondToken else {
          throw UsageError(
            "\(option.environmentName) and \(Option.tokenVariable) are both set: unset one of them")
        }
        try apply(option, values, calledAs: option.environmentName, to: &configuration)
      }
    }
    return configuration
  }

  private func apply(
    _ option: Option, _ values: [String], calledAs name: String, to configuration: inout ServerConfiguration
  ) throws(UsageError) {
    for (index, value) in values.enumerated() {
      do {
        try option.apply(&configuration, value, index == 0)
      } catch {
        throw UsageError("\(name) \(error.message)")
      }
    }
  }

  private func checkTLS(_ configuration: ServerConfiguration) throws(UsageError) {
    switch (configuration.tlsCertificate, configuration.tlsKey) {
    case (.some, nil): throw UsageError("--tls-certificate needs --tls-key FILE beside it")
    case (nil, .some): throw UsageError("--tls-key needs --tls-certificate FILE beside it")
    case (nil, nil), (.some, .some): break
    }
  }

  /// Without a token whoever reaches the port drives the browser.
  private func checkReach(_ configuration: ServerConfiguration) throws(UsageError) {
    guard configuration.token == .none else { return }
    if let open = configuration.listen.first(where: { !$0.isLoopback }) {
      throw UsageError(
        "refusing to listen on \(open.description) without a token: anyone who reaches it could drive the browser. "
          + "Give --token-file FILE or \(Option.tokenVariable), or listen on 127.0.0.1")
    }
  }
}
