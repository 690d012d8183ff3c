#ifndef WEBVIEW_SERVER_CGLIB_H
#define WEBVIEW_SERVER_CGLIB_H

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixsocketaddress.h>
#include <glib-unix.h>
#include <glib.h>
#include <sys/prctl.h>

/* prctl is variadic, which Swift cannot call. Async-signal-safe: used between fork and exec. */
static inline int webview_set_parent_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

#endif
