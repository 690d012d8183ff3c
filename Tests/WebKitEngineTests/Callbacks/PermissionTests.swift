import CWebKit
import Testing
import WebViewCore

@testable import WebKitEngine

/// Nothing is granted, and whoever asks is told.
@PageActor
@Suite(.serialized) struct PermissionTests {
  let site: FixtureSite
  init() throws { site = try FixtureSite.shared.get() }

  /// What a promise or a pair of callbacks settled with: `rejected NotAllowedError`, `granted …`, or `nothing`.
  private static let settled = """
    const settled = ask => Promise.race([
      new Promise((yes, no) => ask(yes, no)).then(v => 'granted ' + v, e => 'rejected ' + (e.name ?? e.code)),
      new Promise(resolve => setTimeout(() => resolve('nothing'), 10000))]);
    return await settled((yes, no) => {
    """

  @Test(arguments: [
    (
      "navigator.geolocation.getCurrentPosition(yes, e => no({code: e.code}))", "rejected 1",
      ["permission-request"]
    ),
    (
      "navigator.geolocation.watchPosition(yes, e => no({code: e.code}))", "rejected 1",
      ["permission-request"]
    ),
    ("navigator.clipboard.readText().then(yes, no)", "rejected NotAllowedError", ["permission-request"]),
    ("navigator.clipboard.read().then(yes, no)", "rejected NotAllowedError", ["permission-request"]),
    (
      "navigator.mediaDevices.getUserMedia({audio: true}).then(yes, no)", "rejected NotAllowedError",
      ["query-permission-state", "permission-request"]
    ),
    (
      "navigator.mediaDevices.getUserMedia({video: true}).then(yes, no)", "rejected NotAllowedError",
      ["query-permission-state", "permission-request"]
    ),
    (
      "navigator.mediaDevices.getDisplayMedia({video: true}).then(yes, no)", "rejected NotAllowedError",
      ["query-permission-state", "permission-request"]
    ),
    // What devices there are is told without a name or an identifier.
    (
      "navigator.mediaDevices.enumerateDevices().then(d => yes(d.every(d => !d.label && !d.deviceId)), no)",
      "granted true", ["query-permission-state"]
    ),
    (
      """
      document.onpointerlockchange = () => yes('locked'); document.onpointerlockerror = () => no({code: 'error'});
      document.body.requestPointerLock()?.catch?.(() => {});
      """, "rejected error", ["permission-request"]
    ),
    // WebKit asks nobody, and shows nothing.
    ("Notification.requestPermission().then(yes, no)", "granted denied", []),
    (
      "const n = new Notification('x'); n.onshow = () => yes('shown'); n.onerror = () => no({code: 'error'})",
      "rejected error", []
    ),
    (
      "navigator.wakeLock.request('screen').then(yes, no)", "rejected NotAllowedError",
      ["query-permission-state"]
    ),
    // The page's own storage.
    ("document.requestStorageAccess().then(yes, no)", "granted undefined", []),
    // WebKit tells a denial as "prompt" to a page that has not asked yet.
    (
      "navigator.permissions.query({name: 'geolocation'}).then(s => yes(s.state), no)", "granted prompt",
      ["query-permission-state"]
    ),
    (
      "navigator.permissions.query({name: 'camera'}).then(s => yes(s.state), no)", "granted prompt",
      ["query-permission-state"]
    ),
    (
      "navigator.permissions.query({name: 'microphone'}).then(s => yes(s.state), no)", "granted prompt",
      ["query-permission-state"]
    ),
    (
      "navigator.permissions.query({name: 'notifications'}).then(s => yes(s.state), no)", "granted prompt", []
    ),
  ])
  func aPermissionIsDenied(ask: String, expected: String, prompts: [String]) async throws {
    let (page, own) = try EngineHarness.pageOfTheEngine()
    let drawn = DrawnWindows.besidePages()
    // Without devices nothing would be asked for.
    webkit_settings_set_enable_mock_capture_devices(own.engineSettings, 1)
    try await page.load(site.url("/a"))
    let asked = try await AskedPrompts.during(own) {
      #expect(await page.json(Self.settled + ask + "})") == "\"\(expected)\"")
      await page.settle()
    }
    #expect(asked.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == prompts)
    #expect(DrawnWindows.besidePages().subtracting(drawn) == [])
    #expect(DrawnWindows.over(own) == [])
    #expect(try await page.load(site.url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
  }

  /// WebKit grants what nobody is asked for, and the store takes no cookie of another site all the same.
  @Test func anEmbeddedSiteGetsNoCookies() async throws {
    let (results, asked) = try await PromptedPage.outcome(
      of: """
        const f = made('iframe', {src: 'http://localhost:\(site.port)/asks-for-storage', frameBorder: 0});
        await first(f, 'load'); await painted();
        """,
      """
      return await new Promise(resolve => {
        onmessage = e => resolve(e.data); setTimeout(() => resolve('nothing'), 10000) });
      """
    ) { $0.click(x: 50, y: 20) }
    #expect(results.last == "[\"granted\",\"\"]")
    #expect(asked == [])
  }
}
