import CWebKit
import GLibBridge
import Testing
import WebViewCore

@testable import WebKitEngine

/// A page that makes WebKit ask a person.
@PageActor
enum PromptedPage {
  /// Loads a page and runs each of these in it, `act` on it while the last one waits; what they returned, and the
  /// prompts that WebKit asked meanwhile. Then looks whether all goes on. Each run has a person's gesture to
  /// spend, once.
  static func outcome(of steps: String..., act: @PageActor (WebKitPage) -> Void = { _ in }) async throws -> (
    results: [String], asked: [String]
  ) {
    let site = try FixtureSite.shared.get()
    let (page, own) = try EngineHarness.pageOfTheEngine()
    let drawn = DrawnWindows.besidePages()
    try await page.load(site.url("/a"))
    _ = await page.json(Self.tools)
    var results: [String] = []
    let asked = try await AskedPrompts.during(own) {
      for (index, step) in steps.enumerated() {
        let running = page.begin(step)
        await page.settle()
        if index == steps.count - 1 { act(own) }
        results.append(await page.json(of: running))
        await page.settle()
        #expect(DrawnWindows.besidePages().subtracting(drawn) == [], "\(step)")
        #expect(DrawnWindows.over(own) == [], "\(step)")
      }
    }
    try await expectToGoOn(page, own)
    return (results, asked)
  }

  /// `made` adds an element that a click at 50, 20 meets and counts its changes; `first` is the first of some
  /// events, `painted` the time after two frames.
  private static let tools = """
    made = (name, members) => {
      const e = Object.assign(document.createElement(name), members);
      e.style = 'position:fixed;left:0;top:0;width:200px;height:40px';
      changes = 0; e.oninput = e.onchange = () => changes++;
      return document.body.appendChild(e);
    };
    first = (target, ...names) => new Promise(resolve => {
      for (const name of names) target.addEventListener(name, e => resolve(e.type + (e.isTrusted ? '' : ' untrusted')));
      setTimeout(() => resolve('nothing'), 10000);
    });
    painted = async () => { for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame) };
    """

  private static func expectToGoOn(_ page: TestPage, _ own: WebKitPage) async throws {
    #expect(gtk_widget_is_focus(own.view.cast()) != 0)
    #expect(await page.json("return document.hasFocus()") == "true")
    #expect(try await page.load(FixtureSite.shared.get().url("/b")) == "W(/b) S(/b) A(200) C(/b) D F(/b)")
    let process = try #require(own.processIdentifier)
    own.close()
    try await EngineHarness.gone([process])
  }
}
