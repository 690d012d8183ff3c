import Testing
import WebViewCore
import WebViewTesting

@Suite struct CapabilitiesTests {
  @Test func settingsTellTheEnginesDefaultsAndTheirRange() {
    var defaults = WebViewSettings()
    defaults.pageZoom = 1.5
    let capabilities = Capabilities(defaults: defaults)
    #expect(capabilities.settings.map(\.name) == ["customUserAgent", "pageZoom", "viewport"])
    #expect(
      capabilities.settings[1].json == ["type": "number", "default": 1.5, "minimum": 0.25, "maximum": 5])
    let sides: JSONObject = [
      "type": "object", "default": ["width": 1280, "height": 800], "minimum": 1, "maximum": 10_000,
    ]
    #expect(capabilities.settings[2].json == sides)
    #expect(capabilities.json["navigationPolicies"] == ["allow", "cancel"])
    #expect(capabilities.json["downloadPolicy"] == false)
  }

  @Test func usageOfAProcessIsReadFromTheSystem() async throws {
    let bench = await TestBench()
    let (controller, page) = try await bench.makeController()
    func usages() async throws -> [ProcessUsage?] {
      try await bench.controllers.processUsage(of: [controller], deadline: Deadline(seconds: 60))
    }
    #expect(try await usages() == [nil])
    await page.setProcess(1)
    let usage = try #require(try await usages().first ?? nil)
    #expect(usage.identifier == 1)
    #expect(usage.cpuTime >= 0)
    #expect(usage.residentMemory > 0)
  }
}

extension FakePage {
  func setProcess(_ identifier: Int32) { processIdentifier = identifier }
}
