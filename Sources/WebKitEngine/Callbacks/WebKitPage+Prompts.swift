import CWebKit
import GLibBridge
import WebViewCore

extension WebKitPage {
  /// Everything that WebKit would ask a person, or draw over the page, has its answer here. Unanswered, some
  /// of these block the page, and printing blocks the whole program.
  func connectPrompts() {
    _ = UnaskedPopups.areClosed
    onPage(view, "print") { (_: OpaquePointer, _: OpaquePointer) -> Bool in true }
    onPage(view, "script-dialog") { (_: OpaquePointer, dialog: OpaquePointer) -> Bool in
      switch webkit_script_dialog_get_dialog_type(dialog) {
      case WEBKIT_SCRIPT_DIALOG_BEFORE_UNLOAD_CONFIRM: webkit_script_dialog_confirm_set_confirmed(dialog, 1)
      case WEBKIT_SCRIPT_DIALOG_CONFIRM: webkit_script_dialog_confirm_set_confirmed(dialog, 0)
      default: break
      }
      return true
    }
    onPage(view, "authenticate") { (_: OpaquePointer, request: OpaquePointer) -> Bool in
      // No credential: the server's 401 page becomes the document.
      webkit_authentication_request_authenticate(request.cast(), nil)
      return true
    }
    onPage(view, "permission-request") { (_: OpaquePointer, request: OpaquePointer) -> Bool in
      webkit_permission_request_deny(request)
      return true
    }
    onPage(view, "query-permission-state") { (_: OpaquePointer, query: OpaquePointer) -> Bool in
      webkit_permission_state_query_finish(query, WEBKIT_PERMISSION_STATE_DENIED)
      return true
    }
    onPage(view, "run-file-chooser") { (_: OpaquePointer, request: OpaquePointer) -> Bool in
      webkit_file_chooser_request_cancel(request.cast())
      return true
    }
    onPage(view, "run-color-chooser") { (_: OpaquePointer, request: OpaquePointer) -> Bool in
      webkit_color_chooser_request_cancel(request.cast())
      return true
    }
    onPage(view, "create") { (_: OpaquePointer, _: OpaquePointer) -> NoObject in NoObject() }
    onPage(view, "context-menu") {
      (_: OpaquePointer, _: OpaquePointer, _: OptionalPointer, _: OptionalPointer) -> Bool in true
    }
    onPage(view, "show-option-menu") {
      (_: OpaquePointer, menu: OpaquePointer, _: OptionalPointer, _: OptionalPointer) -> Bool in
      webkit_option_menu_close(menu.cast())
      return true
    }
    onPage(view, "show-notification") { (_: OpaquePointer, _: OpaquePointer) -> Bool in true }
    onPage(view, "enter-fullscreen") { (_: OpaquePointer) -> Bool in true }
    onPage(view, "leave-fullscreen") { (_: OpaquePointer) -> Bool in true }
  }
}

/// The answer NULL of a signal that asks for an object.
private struct NoObject: GValueWritable {
  func store(into value: UnsafeMutablePointer<GValue>) { OpaquePointer?.none.store(into: value) }
}
