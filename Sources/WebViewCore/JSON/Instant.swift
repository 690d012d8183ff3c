import Foundation

/// Instants on the wire: RFC 3339, UTC, milliseconds.
public enum Instant {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  public static func text(_ date: Date) -> String { date.formatted(style) }

  /// An instant of RFC 3339 with any offset. By hand, because Foundation takes minute 99 and 31 February.
  public static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == dash, bytes[7] == dash, bytes[10] | 0x20 == UInt8(ascii: "t"),
      bytes[13] == colon, bytes[16] == colon,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
      let second = number(bytes[17..<19]),
      (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second <= 60, let (fraction, end) = fraction(bytes), let offset = offset(bytes[end...])
    else { return nil }
    let seconds = dayNumber(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private static let dash = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// Of a second, and where the offset begins.
  private static func fraction(_ bytes: [UInt8]) -> (Double, end: Int)? {
    guard bytes[19] == UInt8(ascii: ".") else { return (0, 19) }
    let digits = bytes[20...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    return (value, digits.endIndex)
  }

  /// Seconds east of UTC.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first else { return nil }
    if sign | 0x20 == UInt8(ascii: "z") { return bytes.count == 1 ? 0 : nil }
    let start = bytes.startIndex
    guard bytes.count == 6, sign == dash || sign == UInt8(ascii: "+"), bytes[start + 3] == colon,
      let hours = number(bytes[start + 1..<start + 3]), let minutes = number(bytes[start + 4..<start + 6]),
      hours < 24, minutes < 60
    else { return nil }
    return (sign == dash ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970 in the Gregorian calendar, with years that begin in March so that leap days come last.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
