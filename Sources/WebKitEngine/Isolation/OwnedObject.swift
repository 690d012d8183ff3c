import CWebKit
import GLibBridge
import WebViewCore

/// An owned reference to a GObject that lives and dies on the page actor.
@PageActor
final class OwnedObject<Pointer: CPointer> {
  let pointer: Pointer
  init(owning pointer: Pointer) { self.pointer = pointer }
  init(retaining pointer: Pointer) {
    g_object_ref(pointer.raw)
    self.pointer = pointer
  }
  isolated deinit { g_object_unref(pointer.raw) }
}
