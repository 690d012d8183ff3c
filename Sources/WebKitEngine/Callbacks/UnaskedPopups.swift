import CWebKit
import GLibBridge
import WebViewCore

/// Date pickers, suggestions of a datalist, what a form misses, tooltips: WebKit opens them over a page by
/// itself, without a signal that could be answered. Nobody sees them, they take the focus and, once open, the
/// pointer from every page of the program: whatever is shown beside the pages is closed in that moment, before
/// it is drawn, and the page goes on as if a person had closed it.
@PageActor
enum UnaskedPopups {
  /// Begins at first use, once there is a widget; false when GTK knows no such signal.
  static let areClosed = EmissionHook.add(type: "GtkWidget", signal: "show") { widget in
    let shown = OneThread(widget)
    PageActor.assumeIsolated { close(shown.value.cast()) }
  }

  private static func close(_ widget: UnsafeMutablePointer<GtkWidget>) {
    if isOf(widget, gtk_popover_get_type()) {
      gtk_widget_hide(widget)
      // WebKit, which is still about to show it, hears of its end later.
      let popover = OwnedObject(retaining: widget)
      Task { @PageActor in EmissionHook.emit("closed", on: popover.pointer) }
    } else if isOf(widget, gtk_window_get_type()), !isPage(widget) {
      gtk_widget_hide(widget)
    }
  }

  private static func isPage(_ window: UnsafeMutablePointer<GtkWidget>) -> Bool {
    guard let child = gtk_bin_get_child(window.cast()) else { return false }
    return isOf(child, webkit_web_view_get_type())
  }

  private static func isOf(_ widget: UnsafeMutablePointer<GtkWidget>, _ type: GType) -> Bool {
    g_type_check_instance_is_a(widget.cast(), type) != 0
  }
}
