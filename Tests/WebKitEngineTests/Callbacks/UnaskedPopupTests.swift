import Testing
import WebViewCore

@testable import WebKitEngine

/// What WebKit opens by itself is not drawn, and the page goes on.
@PageActor
@Suite(.serialized) struct UnaskedPopupTests {
  @Test(arguments: ["date", "datetime-local", "month", "week", "time"])
  func aDatePickerLeavesTheDate(type: String) async throws {
    let show = "i.showPicker(); await painted(); return [i.value, changes]"
    let (results, _) = try await PromptedPage.outcome(of: "i = made('input', {type: '\(type)'})", show, show)
    #expect(results.dropFirst() == ["[\"\",0]", "[\"\",0]"])
  }

  @Test func suggestionsAreNotDrawn() async throws {
    let (results, _) = try await PromptedPage.outcome(
      of: """
        document.body.innerHTML = '<datalist id=list><option>abc<option>abd</datalist>';
        i = made('input'); i.setAttribute('list', 'list'); i.focus(); await painted();
        """,
      "i.showPicker(); await painted(); return [i.value, changes]")
    #expect(results.last == "[\"\",0]")
  }

  @Test func whatAFormMissesIsNotDrawn() async throws {
    let (results, _) = try await PromptedPage.outcome(
      of: """
        const f = document.body.appendChild(document.createElement('form')), i = made('input', {required: true});
        f.append(i); const told = first(i, 'invalid'); const valid = f.reportValidity(); await painted();
        return [valid, await told];
        """)
    #expect(results == ["[false,\"invalid\"]"])
  }
}
