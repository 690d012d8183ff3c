#ifndef WEBVIEW_SERVER_CWEBEXTENSION_H
#define WEBVIEW_SERVER_CWEBEXTENSION_H
#include <libsoup/soup.h>
#include <webkit2/webkit-web-extension.h>

/* Signals, each with the type of its handler, which g_signal_connect forgets. */
typedef void (*WebviewPageCreated)(WebKitWebExtension *, WebKitWebPage *, gpointer);
typedef gboolean (*WebviewSendRequest)(WebKitWebPage *, WebKitURIRequest *, WebKitURIResponse *, gpointer);
typedef void (*WebviewWindowObjectCleared)(WebKitScriptWorld *, WebKitWebPage *, WebKitFrame *, gpointer);
typedef gboolean (*WebviewUserMessageReceived)(WebKitWebPage *, WebKitUserMessage *, gpointer);

static inline void webview_on_page_created(WebKitWebExtension *extension, WebviewPageCreated handler) {
  g_signal_connect(extension, "page-created", G_CALLBACK(handler), NULL);
}

static inline void webview_on_window_object_cleared(WebKitScriptWorld *world, WebviewWindowObjectCleared handler) {
  g_signal_connect(world, "window-object-cleared", G_CALLBACK(handler), NULL);
}

static inline void webview_on_send_request(WebKitWebPage *page, WebviewSendRequest handler, gpointer data) {
  g_signal_connect(page, "send-request", G_CALLBACK(handler), data);
}

static inline void webview_on_user_message_received(WebKitWebPage *page, WebviewUserMessageReceived handler,
                                                    gpointer data) {
  g_signal_connect(page, "user-message-received", G_CALLBACK(handler), data);
}

/* `data` lives as long as the object, a page or the extension itself. */
static inline void webview_keep(gpointer object, gpointer data, GDestroyNotify release) {
  g_object_set_data_full(G_OBJECT(object), "webview-server", data, release);
}

static inline gpointer webview_kept(gpointer object) {
  return g_object_get_data(G_OBJECT(object), "webview-server");
}

/* Deprecated since 2.48, for sites that get processes of their own, which is off. */
static inline WebKitFrame *webview_page_main_frame(WebKitWebPage *page) {
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  return webkit_web_page_get_main_frame(page);
  G_GNUC_END_IGNORE_DEPRECATIONS
}
#endif
