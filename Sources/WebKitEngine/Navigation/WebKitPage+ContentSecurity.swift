import CWebKit
import GLibBridge
import WebViewCore

/// WebKit is given bytes without headers: the policies that stood in them are put in force as the document begins.
extension WebKitPage {
  /// For the main document that is loaded next, and only for it.
  func enforce(_ policies: [String]) {
    dropPolicies()
    guard !policies.isEmpty else { return }
    let script = webkit_user_script_new_for_world(
      Self.enforcement(of: policies), WEBKIT_USER_CONTENT_INJECT_TOP_FRAME,
      WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, Self.internalWorld, nil, nil)
    webkit_user_content_manager_add_script(content, script)
    policyScript = script
  }

  /// The document has them, or will not come.
  func dropPolicies() {
    guard let script = policyScript else { return }
    policyScript = nil
    webkit_user_content_manager_remove_script(content, script)
    webkit_user_script_unref(script)
  }

  /// A policy outlasts the element that gave it, and only one in a head gives any.
  private static func enforcement(of policies: [String]) -> String {
    let list = JSONWriter.text(.array(policies.map { .string($0) }))
    return """
      {
        // Of an XML document the elements are of HTML only when they say so.
        const make = (name) => document.createElementNS("http://www.w3.org/1999/xhtml", name);
        const head = make("head");
        for (const policy of \(list)) {
          const meta = make("meta");
          meta.httpEquiv = "Content-Security-Policy";
          meta.content = policy;
          head.append(meta);
        }
        document.documentElement.append(head);
        head.remove();
      }
      """
  }
}
