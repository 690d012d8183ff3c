import SoupTransport

/// Readers of option values. Each message completes a sentence that begins with the option's name.
func nonEmpty(_ value: String, _ what: String) throws(UsageError) -> String {
  guard !value.isEmpty, !value.utf8.contains(0) else { throw UsageError("needs \(what)") }
  return value
}

func listenAddress(_ value: String) throws(UsageError) -> ListenAddress {
  do {
    return try ListenAddress(parsing: value)
  } catch {
    throw UsageError("\(error)")
  }
}

func choice<Choice: RawRepresentable & CaseIterable>(
  _ value: String
) throws(UsageError) -> Choice where Choice.RawValue == String {
  guard let choice = Choice(rawValue: value) else {
    throw UsageError("is \(Choice.allCases.map(\.rawValue).joined(separator: ", ")), not '\(value)'")
  }
  return choice
}

func seconds(_ value: String, upTo maximum: Double) throws(UsageError) -> Double {
  guard let number = Double(value), number.isFinite, number >= 0, number <= maximum else {
    throw UsageError("is a number of seconds from 0 to \(Int(maximum)), not '\(value)'")
  }
  return number
}

func display(_ value: String) throws(UsageError) -> ServerConfiguration.Display {
  if value == "auto" { return .automatic }
  let parts = value.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
  let areNumbers = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  guard value.hasPrefix(":"), (1...2).contains(parts.count), areNumbers else {
    throw UsageError("is auto or a display such as :0, not '\(value)'")
  }
  return .number(value)
}

/// A name without scheme and port; IPv6 in brackets, as in a Host header.
func hostName(_ value: String) throws(UsageError) -> String {
  let lower = value.lowercased()
  let inner = lower.hasPrefix("[") && lower.hasSuffix("]") ? lower.dropFirst().dropLast() : lower[...]
  let isName = inner.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    case UInt8(ascii: ":"): inner.count != lower.count
    default: false
    }
  }
  guard !inner.isEmpty, isName else {
    throw UsageError("is a host name without scheme and port, such as browser.internal, not '\(value)'")
  }
  return lower
}

/// Scheme, host and perhaps a port, as browsers send it in `Origin`.
func origin(_ value: String) throws(UsageError) -> String {
  let refusal = UsageError(
    "is scheme://host or scheme://host:port without a path, such as https://app.example, not '\(value)'")
  guard let separator = value.firstRange(of: "://") else { throw refusal }
  let scheme = value[..<separator.lowerBound].lowercased()
  var authority = value[separator.upperBound...].lowercased()
  guard let first = scheme.utf8.first, (0x61...0x7a).contains(first),
    scheme.utf8.allSatisfy({
      (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    })
  else { throw refusal }
  var port = ""
  if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
    port = String(authority[authority.index(after: colon)...])
    guard let number = Int(port), (1...65_535).contains(number), String(number) == port else { throw refusal }
    authority = String(authority[..<colon])
  }
  do { authority = try hostName(authority) } catch { throw refusal }
  // Browsers leave a scheme's own port out.
  let isOwn = (scheme == "http" && port == "80") || (scheme == "https" && port == "443")
  return "\(scheme)://\(authority)" + (port.isEmpty || isOwn ? "" : ":\(port)")
}
