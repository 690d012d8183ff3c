import Foundation
import Testing
import WebViewCore

/// Instants are RFC 3339, neither more nor less.
@Suite struct InstantTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00.5Z", 951_825_600.5),
    ("2026-03-01T10:30:00.000+01:00", 1_772_357_400),
    ("2026-03-01t09:30:00z", 1_772_357_400), ("1969-12-31T23:59:59Z", -1),
    ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("9999-12-31T23:59:59-23:59", 253_402_387_139),
  ])
  func `valid ones decode`(text: String, seconds: Double) {
    #expect(Instant.date(text)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "", "2026-03-01", "2026-03-01T09:30:00", "2026-03-01 09:30:00Z", "2024-01-01T12:99:00Z",
    "2024-02-30T00:00:00Z",
    "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-01T24:00:00Z",
    "2024-01-01T00:00:61Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+24:00",
    "2024-01-01T00:00:00ZZ", "٢٠٢٤-01-01T00:00:00Z", "tomorrow at noon, or so",
  ])
  func `others do not`(text: String) {
    #expect(Instant.date(text) == nil)
  }

  @Test(arguments: [0, 951_825_600.5, 1_772_357_400, -86_400.25, 4_102_444_799.999])
  func `what is written is read back`(seconds: Double) {
    let text = Instant.text(Date(timeIntervalSince1970: seconds))
    #expect(Instant.date(text)?.timeIntervalSince1970 == seconds, "\(text)")
  }
}
