import Glibc

enum LogFormat: String, Sendable, CaseIterable { case text, json }

/// From the most to the least important.
enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case error, warning, info, debug

  static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .info: 2
    case .debug: 3
    }
  }
}

/// One message as it is written: a line, whatever is in it.
struct LogLine: Sendable, Equatable {
  enum Value: Sendable, Equatable {
    case text(String)
    case integer(Int)
    /// Milliseconds, told with two decimals.
    case milliseconds(Double)
  }

  var time: timespec
  var level: LogLevel
  var message: String
  var fields: [(name: String, value: Value)]

  static func == (left: LogLine, right: LogLine) -> Bool { left.json == right.json }

  func bytes(_ format: LogFormat) -> [UInt8] {
    switch format {
    case .text: Array(text.utf8)
    case .json: Array(json.utf8)
    }
  }

  var text: String {
    var line = "\(instant) \(level.rawValue.padded(to: 7)) \(Self.escaped(message, quoting: false))"
    for field in fields {
      switch field.value {
      case .integer(let number): line += " \(field.name)=\(number)"
      case .milliseconds(let number): line += " \(field.name)=\(Self.twoDecimals(number))"
      case .text(let value):
        let isPlain =
          !value.isEmpty && value.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
        line += " \(field.name)=" + (isPlain ? value : "\"\(Self.escaped(value, quoting: true))\"")
      }
    }
    return line + "\n"
  }

  var json: String {
    var line =
      "{\"time\":\"\(instant)\",\"level\":\"\(level.rawValue)\",\"message\":\"\(Self.escaped(message, quoting: true))\""
    for field in fields {
      line += ",\"\(field.name)\":"
      switch field.value {
      case .integer(let number): line += String(number)
      case .milliseconds(let number): line += Self.twoDecimals(number)
      case .text(let value): line += "\"\(Self.escaped(value, quoting: true))\""
      }
    }
    return line + "}\n"
  }

  /// RFC 3339 in UTC with milliseconds.
  private var instant: String {
    var seconds = time.tv_sec
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
    let fraction = String(1_000 + time.tv_nsec / 1_000_000).dropFirst()
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)Z"
  }

  private static func twoDecimals(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "0" }
    return String((number * 100).rounded() / 100)
  }

  /// Nothing that pages or clients send may forge a line or move a terminal's cursor.
  private static func escaped(_ text: String, quoting: Bool) -> String {
    let isClean = text.unicodeScalars.allSatisfy {
      !isControl($0) && !(quoting && ($0 == "\"" || $0 == "\\"))
    }
    if isClean { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\"" where quoting: result += "\\\""
      case "\\" where quoting: result += "\\\\"
      default:
        if isControl(scalar) {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028
      || scalar.value == 0x2029
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    count >= width ? self : self + String(repeating: " ", count: width - count)
  }
}
