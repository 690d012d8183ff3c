import CWebKit
import GLibBridge
import Testing
import WebViewCore

@testable import WebKitEngine

/// What makes WebKit ask a person is answered as if that person had turned away: the page goes on, and nothing
/// is drawn.
@PageActor
@Suite(.serialized) struct PromptTests {
  @Test(arguments: ["", "i.multiple = true", "i.webkitdirectory = true", "i.accept = 'image/*,.txt'"])
  func aFileChooserIsCancelled(change: String) async throws {
    for open in ["i.click()", "i.showPicker()"] {
      let choose =
        "const ended = first(i, 'cancel', 'change'); \(open); return [await ended, i.files.length, i.value]"
      let (results, asked) = try await PromptedPage.outcome(
        of: "i = made('input', {type: 'file'}); \(change)", choose, choose)
      #expect(results.dropFirst() == ["[\"cancel\",0,\"\"]", "[\"cancel\",0,\"\"]"], "\(open)")
      #expect(asked == ["run-file-chooser", "run-file-chooser"], "\(open)")
    }
  }

  @Test func aColorChooserLeavesTheColor() async throws {
    for open in ["i.click()", "i.showPicker()"] {
      let choose = "\(open); await painted(); return [i.value, changes]"
      let (results, asked) = try await PromptedPage.outcome(
        of: "i = made('input', {type: 'color', value: '#112233'})", choose, choose)
      #expect(results.dropFirst() == ["[\"#112233\",0]", "[\"#112233\",0]"], "\(open)")
      #expect(asked.first == "run-color-chooser", "\(open)")
    }
  }

  @Test func aSelectClosesAsItWas() async throws {
    let (results, asked) = try await PromptedPage.outcome(
      of:
        "s = made('select', {innerHTML: '<option>a<option selected>b<optgroup label=g><option>c</optgroup>'})",
      "const down = await first(s, 'mousedown'); await painted(); return [down, s.value, changes]"
    ) { $0.click(x: 50, y: 20) }
    #expect(results.last == "[\"mousedown\",\"b\",0]")
    #expect(asked == ["show-option-menu"])
  }

  @Test(arguments: ["p", "a", "img", "input", "video"])
  func aContextMenuIsThePagesOnly(element: String) async throws {
    let (results, asked) = try await PromptedPage.outcome(
      of: """
        const e = made('\(element)', {href: '/b', textContent: 'text', value: 'text'});
        const told = await first(e, 'contextmenu'); await painted(); return told;
        """
    ) { $0.click(x: 50, y: 20, button: 3) }
    #expect(results == ["\"contextmenu\""])
    #expect(asked == ["context-menu"])
  }

  @Test func dialogsPrintingCredentialsAndWindowsDrawNothing() async throws {
    for (code, expected, prompts) in [
      ("alert(1); return 1", "1", ["script-dialog"]),
      ("return confirm(1)", "false", ["script-dialog"]),
      ("return prompt(1, 'text')", "null", ["script-dialog"]),
      ("print(); await painted(); return 1", "1", ["print"]),
      ("document.execCommand('print'); await painted(); return 1", "1", ["print"]),
      ("return (await fetch('/401')).status", "401", ["authenticate"]),
      ("return window.open('/b', '', 'popup,width=100,height=100')", "null", ["create"]),
    ] {
      let (results, asked) = try await PromptedPage.outcome(of: code)
      #expect(results == [expected], "\(code)")
      #expect(asked == prompts, "\(code)")
    }
  }

  @Test func anElementIsNotFullScreen() async throws {
    let (results, asked) = try await PromptedPage.outcome(
      of: """
        const e = made('p', {textContent: 'full'}), size = [innerWidth, innerHeight];
        let told; try { await e.requestFullscreen(); told = 'granted' } catch (e) { told = e.name }
        await painted();
        return [told, document.fullscreenEnabled ?? false, String(document.fullscreenElement ?? null), String(size) === String([innerWidth, innerHeight])];
        """)
    #expect(results == ["[\"TypeError\",false,\"null\",true]"])
    #expect(asked == [])
  }

  /// An engine to come may ask by a signal that nobody answers here.
  @Test func everySignalThatAsksIsAnswered() throws {
    let (page, own) = try EngineHarness.pageOfTheEngine()
    defer { page.page.close() }
    var count: guint = 0
    let noValue = g_type_from_name("void")
    let signals = g_signal_list_ids(webkit_web_view_get_type(), &count)!
    defer { g_free(signals) }
    let unanswered = (0..<Int(count)).compactMap { index -> String? in
      var query = GSignalQuery()
      g_signal_query(signals[index], &query)
      let isAnswered = g_signal_has_handler_pending(own.view.raw, query.signal_id, 0, 0) != 0
      return query.return_type == noValue || isAnswered ? nil : String(cString: query.signal_name)
    }
    // The one comes from code in the page's process, of which there is none; the other is no question.
    #expect(unanswered.sorted() == ["user-message-received", "web-process-crashed"])
  }
}
