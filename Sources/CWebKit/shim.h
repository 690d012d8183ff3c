#ifndef WEBVIEW_SERVER_CWEBKIT_H
#define WEBVIEW_SERVER_CWEBKIT_H
#include <sys/syscall.h>
#include <unistd.h>
#include <gdk/gdkx.h>
#include <gtk/gtk.h>
#include <libsoup/soup.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <webkit2/webkit2.h>

/* Variadic constructors, which Swift cannot call. */
static inline WebKitWebsiteDataManager *webview_website_data_manager_new(const char *data, const char *cache) {
  return webkit_website_data_manager_new("base-data-directory", data, "base-cache-directory", cache, NULL);
}

static inline GtkWidget *webview_web_view_new(WebKitWebContext *context, WebKitUserContentManager *manager,
                                              WebKitSettings *settings) {
  return GTK_WIDGET(g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "user-content-manager", manager,
                                 "settings", settings, NULL));
}

/* syscall is variadic, which Swift cannot call. */
static inline ssize_t webview_receive_message(int socket, struct msghdr *message, int flags) {
  return syscall(SYS_recvmsg, socket, message, flags);
}
#endif
