"""An X display as somebody who sits before it has it: the windows on it and the pointer."""

import contextlib
import ctypes


class _Attributes(ctypes.Structure):
    """XWindowAttributes"""
    _fields_ = [
        *((name, ctypes.c_int) for name in ("x", "y", "width", "height", "border_width", "depth")),
        ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong), ("kind", ctypes.c_int),
        *((name, ctypes.c_int) for name in ("bit_gravity", "win_gravity", "backing_store")),
        ("backing_planes", ctypes.c_ulong), ("backing_pixel", ctypes.c_ulong), ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong), ("map_installed", ctypes.c_int), ("map_state", ctypes.c_int),
        *((name, ctypes.c_long) for name in ("all_event_masks", "your_event_mask", "do_not_propagate_mask")),
        ("override_redirect", ctypes.c_int), ("screen", ctypes.c_void_p)]


_VIEWABLE, _INPUT_OUTPUT = 2, 1
_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


@_HANDLER
def _ignore_error(_display, _error):
    """A window may go between two questions about it; Xlib would end the program."""
    return 0


class Display:
    def __init__(self, name):
        self._x, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        self._x.XSetErrorHandler(_ignore_error)
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(name.encode()))
        assert self._display, f"no display {name}"

    def close(self):
        self._x.XCloseDisplay(self._display)

    def windows(self):
        """Ids of all that is shown, topmost last."""
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        assert self._x.XQueryTree(
            self._display, ctypes.c_ulong(self._x.XDefaultRootWindow(self._display)), ctypes.byref(root),
            ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        listed = children[:count.value]
        if children:
            self._x.XFree(children)
        return [window for window in listed if self._is_shown(window)]

    def _is_shown(self, window):
        found = _Attributes()
        return (self._x.XGetWindowAttributes(self._display, ctypes.c_ulong(window), ctypes.byref(found))
                and found.map_state == _VIEWABLE and found.kind == _INPUT_OUTPUT)

    def click(self, x, y, button=1):
        self._test.XTestFakeMotionEvent(self._display, -1, x, y, ctypes.c_ulong(0))
        for is_down in (1, 0):
            self._test.XTestFakeButtonEvent(self._display, button, is_down, ctypes.c_ulong(0))
        self._x.XSync(self._display, 0)


@contextlib.contextmanager
def opened(name):
    display = Display(name)
    try:
        yield display
    finally:
        display.close()
