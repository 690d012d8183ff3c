import Testing
import WebViewCore

@PageActor
@Suite(.serialized) struct PageSettingsTests {
  /// The engine's own page about drawing tells what is in force.
  @Test func pagesAreNeverDrawnByAGraphicsCard() async throws {
    let page = try EngineHarness.page()
    try await page.load("webkit://gpu/")
    let policies = await page.json(
      """
      const rows = [...document.querySelectorAll("tr")].map(row => [...row.children].map(cell => cell.innerText.trim()));
      return rows.filter(row => row[0] === "Policy").map(row => row[1])
      """)
    #expect(policies == #"["never"]"#)
  }
}
