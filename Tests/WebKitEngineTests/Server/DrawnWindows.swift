import CWebKit
import GLibBridge
import WebViewCore

@testable import WebKitEngine

/// What this process shows on its display beside its pages. The display is the tests' own: everything on it
/// was drawn by the engine.
@PageActor
enum DrawnWindows {
  /// Names of the widgets of all mapped windows that are no page's own, with the windows' identifiers.
  static func besidePages() -> Set<String> {
    let display = gdk_display_get_default()!
    let connection = gdk_x11_display_get_xdisplay(display)
    var root: Window = 0
    var parent: Window = 0
    var children: UnsafeMutablePointer<Window>?
    var count: UInt32 = 0
    // Asked of the X server: a window is there whatever GTK knows of it.
    guard XQueryTree(connection, XDefaultRootWindow(connection), &root, &parent, &children, &count) != 0
    else {
      return ["the display's windows cannot be listed"]
    }
    defer { XFree(children) }
    // Pages' processes have windows too, never shown ones, which go when they like.
    gdk_x11_display_error_trap_push(display)
    defer { gdk_x11_display_error_trap_pop_ignored(display) }
    let names = (0..<Int(count)).compactMap { index -> String? in
      let window = children![index]
      var attributes = XWindowAttributes()
      guard XGetWindowAttributes(connection, window, &attributes) != 0, attributes.map_state != IsUnmapped,
        attributes.class == InputOutput
      else { return nil }
      guard let widget = widget(of: window, on: display) else { return "window \(window)" }
      return isPageWindow(widget) ? nil : "\(name(widget)) \(window)"
    }
    return Set(names)
  }

  /// Names of the visible widgets that lie over the page, or in its window beside it.
  static func over(_ page: WebKitPage) -> [String] {
    let window = gtk_widget_get_toplevel(page.view.cast())!
    return (visibleChildren(of: window) + visibleChildren(of: page.view.cast()))
      .filter { $0.raw != page.view.raw }.map(name)
  }

  private static func widget(of window: Window, on display: OpaquePointer)
    -> UnsafeMutablePointer<GtkWidget>?
  {
    guard let known = gdk_x11_window_lookup_for_display(display, window) else { return nil }
    var data: gpointer?
    gdk_window_get_user_data(known, &data)
    return data?.assumingMemoryBound(to: GtkWidget.self)
  }

  private static func isPageWindow(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
    guard isOf(widget, gtk_window_get_type()), let child = gtk_bin_get_child(widget.cast()) else {
      return false
    }
    return isOf(child, webkit_web_view_get_type())
  }

  private static func isOf(_ widget: UnsafeMutablePointer<GtkWidget>, _ type: GType) -> Bool {
    g_type_check_instance_is_a(widget.cast(), type) != 0
  }

  private static func name(_ widget: UnsafeMutablePointer<GtkWidget>) -> String {
    string(g_type_name_from_instance(widget.cast())) ?? "a widget"
  }

  private final class Found { var widgets: [UnsafeMutablePointer<GtkWidget>] = [] }

  /// Internal ones too, which WebKit's dialogs and GTK's popovers are.
  private static func visibleChildren(of widget: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<
    GtkWidget
  >] {
    let found = Found()
    gtk_container_forall(
      widget.cast(),
      { child, data in
        guard gtk_widget_get_visible(child) != 0 else { return }
        Unmanaged<Found>.fromOpaque(data!).takeUnretainedValue().widgets.append(child!)
      }, Unmanaged.passUnretained(found).toOpaque())
    return found.widgets
  }
}
