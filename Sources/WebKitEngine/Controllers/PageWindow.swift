import CWebKit
import GLibBridge
import WebViewCore

/// The window that a view is painted in. Nothing manages windows on the private display, so it has exactly the
/// size that it is given, also beyond the screen.
@PageActor
final class PageWindow {
  private let view: UnsafeMutablePointer<WebKitWebView>
  private let window: UnsafeMutablePointer<GtkWidget>
  private var isDestroyed = false
  private let timers: Timers
  private var awaited: (size: Viewport, continuation: CheckedContinuation<Void, Never>, timer: Timers.ID)?

  /// What a view has to take a size.
  private static let deadline = Duration.seconds(2)

  init(view: UnsafeMutablePointer<WebKitWebView>, viewport: Viewport, isMapped: Bool, timers: Timers) {
    self.view = view
    self.timers = timers
    window = isMapped ? gtk_window_new(GTK_WINDOW_POPUP) : gtk_offscreen_window_new()
    gtk_container_add(window.cast(), view.cast())
    request(viewport)
    gtk_widget_show_all(window)
    onPage(view, "size-allocate") { [weak self] (_: OpaquePointer, _: OpaquePointer) in self?.allocated() }
    focus()
  }

  var size: Viewport {
    Viewport(
      width: Int(gtk_widget_get_allocated_width(view.cast())),
      height: Int(gtk_widget_get_allocated_height(view.cast())))
  }

  /// Returns when the view has that size, or has not taken it for two seconds.
  func resize(to viewport: Viewport) async {
    guard !isDestroyed else { return }
    request(viewport)
    guard size != viewport else { return }
    settle()
    await withCheckedContinuation { continuation in
      awaited = (viewport, continuation, timers.after(Self.deadline) { [weak self] in self?.settle() })
    }
  }

  func destroy() {
    guard !isDestroyed else { return }
    isDestroyed = true
    settle()
    gtk_widget_destroy(window)
  }

  private func request(_ viewport: Viewport) {
    gtk_widget_set_size_request(view.cast(), gint(viewport.width), gint(viewport.height))
    gtk_window_set_default_size(window.cast(), gint(viewport.width), gint(viewport.height))
    gtk_window_resize(window.cast(), gint(viewport.width), gint(viewport.height))
  }

  private func allocated() {
    if let awaited, awaited.size == size { settle() }
  }

  private func settle() {
    guard let awaited else { return }
    self.awaited = nil
    timers.cancel(awaited.timer)
    awaited.continuation.resume()
  }

  /// Nothing gives focus on a display without a window manager, and some pages wait for it.
  private func focus() {
    gtk_widget_grab_focus(view.cast())
    guard let target = gtk_widget_get_window(view.cast()), let event = gdk_event_new(GDK_FOCUS_CHANGE) else {
      return
    }
    g_object_ref(target.raw)
    event.pointee.focus_change.window = target
    event.pointee.focus_change.in = 1
    gtk_widget_send_focus_change(view.cast(), event)
    gdk_event_free(event)
  }
}
