import CWebKit
import GLibBridge
import WebViewCore

@testable import WebKitEngine

extension WebKitPage {
  /// A press and release as GTK would hand them to the view: a person's click for the page.
  func click(x: Double, y: Double, button: UInt32 = 1) {
    let seat = gdk_display_get_default_seat(gdk_display_get_default())
    let target = gtk_widget_get_window(view.cast())!
    for type in [GDK_BUTTON_PRESS, GDK_BUTTON_RELEASE] {
      let event = gdk_event_new(type)!
      g_object_ref(target.raw)
      event.pointee.button.window = target
      event.pointee.button.time = UInt32(truncatingIfNeeded: g_get_monotonic_time() / 1000)
      event.pointee.button.button = button
      (event.pointee.button.x, event.pointee.button.y) = (x, y)
      (event.pointee.button.x_root, event.pointee.button.y_root) = (x, y)
      if type == GDK_BUTTON_RELEASE { event.pointee.button.state = 1 << (7 + button) }
      gdk_event_set_device(event, gdk_seat_get_pointer(seat))
      gtk_widget_event(view.cast(), event)
      gdk_event_free(event)
    }
  }
}
