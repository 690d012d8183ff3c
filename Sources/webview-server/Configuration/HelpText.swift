/// What `--help` prints, made from the option table.
enum HelpText {
  private static let width = 96

  static func make(options: [Option] = Option.all) -> String {
    var lines = [
      "Serves real web pages over HTTP and WebSocket: load, script, read and picture them.",
      "",
      "Usage: webview-server [options]",
      "       webview-server --check-health [--listen ADDRESS]",
      "",
      "Options:",
    ]
    for option in options {
      lines.append("  \(option.name) \(option.placeholder)\(option.isRepeatable ? "  (repeatable)" : "")")
      var text = option.summary
      if let value = option.defaultText { text += " Default: \(value)." }
      lines += wrap(text).map { "      \($0)" }
    }
    lines += ["  --check-health"]
    lines += wrap("Ask the server at the first --listen address whether it is healthy; exit status 0 or 1.")
      .map {
        "      \($0)"
      }
    lines += ["  --help, --version", ""]
    lines += wrap(
      "Each option can be given as an environment variable, lists separated by commas: "
        + "--log-level is WEBVIEW_SERVER_LOG_LEVEL. The command line wins. "
        + "The token itself can stand in \(Option.tokenVariable), never on the command line.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func wrap(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width - 6 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
